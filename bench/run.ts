// Every benchmark, one after the other: `npm run bench`. Each also runs alone, as `npm run bench:<name>`; BENCH_ROUNDS
// and BENCH_SECONDS make a run shorter or longer.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

for (const name of ['capture', 'throughput', 'hit', 'variants', 'og', 'cold-start', 'growth']) {
  const file = join(import.meta.dirname, `${name}.ts`);
  if (!existsSync(file)) continue;
  console.log(`\n# ${name}`);
  const code = await new Promise((done) =>
    spawn(process.execPath, [file], { stdio: 'inherit' }).on('exit', (status) => done(status)),
  );
  if (code !== 0) process.exitCode = 1;
}
