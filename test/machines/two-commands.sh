#!/usr/bin/env bash
# Runs inside the empty root: npm start, the README's first requests, npm test.
set -euo pipefail
cd /root/tintype

echo "== npm start"
npm start >/root/start.log 2>&1 &
server=$!
for _ in $(seq 600); do
  grep -q 'is ready at' /root/start.log && break
  kill -0 $server 2>/dev/null || { tail -n 20 /root/start.log; exit 1; }
  sleep 1
done
grep -q 'is ready at' /root/start.log || { echo "npm start was not ready after ten minutes."; tail /root/start.log; exit 1; }

bin/tintype account create you@example.com --plan pro --password 'a long pass phrase'
KEY=$(bin/tintype key create you@example.com --name first | tail -n 1)
KEY=$KEY node -e '
  const { writeFileSync } = require("node:fs");
  (async () => {
    const ask = async (path, file) => {
      const answer = await fetch("http://127.0.0.1:3000" + path, { headers: { "x-api-key": process.env.KEY } });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (answer.status !== 200) throw new Error(path + ": " + answer.status + " " + bytes);
      writeFileSync(file, bytes);
      console.log(path, answer.headers.get("content-type"), bytes.length + " bytes");
    };
    const ready = await fetch("http://127.0.0.1:3000/readyz");
    if (ready.status !== 200) throw new Error("/readyz: " + ready.status + " " + (await ready.text()));
    await ask("/v1/og?template=blog-post&title=Hello%20world&author=Me", "/root/card.png");
  })().catch((error) => { console.error(error.message); process.exit(1); });
'
# A page of this machine: there is no network. The command line says that it may.
printf '<!doctype html><title>Hello</title><h1>Hello</h1>' >/root/index.html
node -e 'require("node:http").createServer((_, r) => r.setHeader("content-type", "text/html").end(require("node:fs").readFileSync("/root/index.html"))).listen(8099)' &
site=$!
sleep 1
ALLOW_PRIVATE_TARGETS=127.0.0.0/8 bin/tintype shot http://127.0.0.1:8099/ -o /root/page.png
kill $site
ls -l /root/page.png /root/card.png
kill -TERM $server
wait $server || true

[ "${1:-}" = --start ] && { echo "1 passed, 0 failed"; exit 0; }
echo "== npm test"
npm test
