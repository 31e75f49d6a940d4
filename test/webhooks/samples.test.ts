// The samples of docs/jobs.md that check a signature, run by their real interpreters with real deliveries.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasCommand, hasOptional } from '../harness/needs.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';
import { openSender, type SenderHarness } from './sender-harness.ts';

type Case = { body: string; headers: Record<string, string>; secret: string };

/** Each reads cases as JSON and writes a JSON list: "ok", or why the webhook is refused. */
const languages: Record<string, { command: string; args?: string[]; file: string; program: (s: string) => string }> = {
  JavaScript: {
    command: process.execPath,
    file: 'sample.cjs',
    program: (sample) => `${sample}
const results = JSON.parse(require('node:fs').readFileSync(0)).map(({ body, headers, secret }) => {
  try { verify(body, headers, secret); return 'ok'; } catch (error) { return error.message; }
});
console.log(JSON.stringify(results));`,
  },
  Python: {
    command: 'python3',
    file: 'sample.py',
    program: (sample) => `${sample}
import sys
def result(case):
    try:
        verify(case["body"].encode(), case["headers"], case["secret"])
        return "ok"
    except ValueError as error:
        return str(error)
print(json.dumps([result(case) for case in json.load(sys.stdin)]))`,
  },
  PHP: {
    command: 'php',
    file: 'sample.php',
    program: (sample) => `${sample}
$results = [];
foreach (json_decode(file_get_contents('php://stdin'), true) as $case) {
    try {
        verify($case['body'], $case['headers'], $case['secret']);
        $results[] = 'ok';
    } catch (Exception $error) {
        $results[] = $error->getMessage();
    }
}
echo json_encode($results);`,
  },
  Go: {
    command: 'go',
    args: ['run'],
    file: 'sample.go',
    program: (sample) => `package main

import ("encoding/json"; "os")

${sample}
func main() {
	var cases []struct { Body string; Headers map[string]string; Secret string }
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil { panic(err) }
	results := []string{}
	for _, each := range cases {
		header := http.Header{}
		for name, value := range each.Headers { header.Set(name, value) }
		result := "ok"
		if err := verify([]byte(each.Body), header, each.Secret); err != nil { result = err.Error() }
		results = append(results, result)
	}
	json.NewEncoder(os.Stdout).Encode(results)
}`,
  },
  Ruby: {
    command: 'ruby',
    file: 'sample.rb',
    program: (sample) => `${sample}
results = JSON.parse($stdin.read).map do |each|
  verify(each["body"], each["headers"], each["secret"])
  "ok"
rescue RuntimeError => error
  error.message
end
puts JSON.generate(results)`,
  },
};

let folder: string;
let page: string;
let receiver: Receiver;
let sender: SenderHarness;
let before: { secret: string; request: Received };
let after: { secret: string; request: Received };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tintype-verify-'));
  page = await readFile(join(import.meta.dirname, '../../docs/jobs.md'), 'utf8');
  receiver = await startReceiver();
  sender = await openSender();
  const sent = async (secret: string) => {
    const id = await sender.deliver(receiver.url);
    await sender.tried(id, 1);
    const request = receiver.received.find((each) => each.id === id);
    if (!request) throw new Error('nothing arrived');
    return { secret, request };
  };
  before = await sent((await sender.secrets.of(sender.account.id)).secret);
  after = await sent((await sender.secrets.rotate(sender.account.id)).secret);
});
afterAll(async () => {
  await sender?.close();
  await receiver?.close();
  await rm(folder, { recursive: true, force: true });
});

async function results(language: string, cases: readonly Case[]): Promise<string[]> {
  const { command, args = [], file, program } = languages[language] as (typeof languages)[string];
  const sample = new RegExp(`#### ${language}\n\n\`\`\`\\w+\n([\\s\\S]+?)\`\`\``).exec(page)?.[1];
  if (sample === undefined) throw new Error(`docs/jobs.md has no sample in ${language}.`);
  const path = join(folder, file);
  await writeFile(path, program(sample));
  return new Promise((resolve, reject) => {
    const child = execFile(command, [...args, path], (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}\n${stderr}`)) : resolve(JSON.parse(stdout)),
    );
    child.stdin?.end(JSON.stringify(cases));
  });
}

/** Signed correctly, at another time. */
function signedAt(seconds: number): Case {
  const { secret, request } = after;
  const at = new Date(Date.now() + seconds * 1000);
  const signature = new Webhook(secret).sign(request.id, at, request.body);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const headers = { 'webhook-id': request.id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return { body: request.body, headers, secret };
}

const canRun: Record<string, () => boolean> = {
  JavaScript: () => true,
  Python: () => hasCommand('python3'),
  PHP: () => hasCommand('php'),
  Go: () => hasOptional('go'),
  Ruby: () => hasCommand('ruby'),
};

describe.each(Object.keys(languages))('the sample in %s', (language) => {
  it.runIf(canRun[language]?.())('accepts real deliveries, and refuses tampered, old and unsigned ones', async () => {
    const { headers, body } = after.request;
    const { secret } = after;
    const given = (changed: Record<string, string>) => ({ body, secret, headers: { ...headers, ...changed } });
    const right = {
      'with the secret': { ...before.request, secret: before.secret },
      'with the new secret after a rotation': { body, headers, secret },
      'with the old secret after a rotation': { body, headers, secret: before.secret },
      'of four minutes ago': signedAt(-240),
    };
    const wrong = {
      'with another body': { body: body.replace('ü', 'u'), headers, secret },
      'with another id': given({ 'webhook-id': 'msg_other' }),
      'with another secret': { body, headers, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
      'without a signature': given({ 'webhook-signature': '' }),
      'with the signature of another version': given({
        'webhook-signature': (headers['webhook-signature'] ?? '').replaceAll('v1,', 'v2,'),
      }),
      'with half a signature': given({ 'webhook-signature': headers['webhook-signature']?.slice(0, 20) ?? '' }),
      'with a signature of other characters': given({ 'webhook-signature': `v1,${'ü'.repeat(44)}` }),
      'with another time': given({ 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }),
    };
    const old = {
      'of six minutes ago': signedAt(-360),
      'of the future': signedAt(360),
      'without a time': given({ 'webhook-timestamp': '' }),
      'with a time that is none': given({ 'webhook-timestamp': 'now' }),
    };
    const cases = { ...right, ...wrong, ...old };
    const answers = await results(language, Object.values(cases));
    const expected = Object.fromEntries(
      Object.keys(cases).map((name) => [name, name in right ? 'ok' : name in wrong ? 'wrong signature' : 'too old']),
    );
    expect(Object.fromEntries(Object.keys(cases).map((name, index) => [name, answers[index]]))).toEqual(expected);
  });
});
