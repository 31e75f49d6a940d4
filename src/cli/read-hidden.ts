// Reads one line from a terminal without showing it.
import type { ReadStream } from 'node:tty';

export function readHidden(prompt: string, input: ReadStream, output: NodeJS.WritableStream): Promise<string> {
  // Before the prompt: the terminal shows everything typed earlier.
  input.setRawMode(true);
  output.write(prompt);
  return new Promise((resolve) => {
    let text = '';
    const end = (line: string) => {
      input.off('data', onData);
      input.setRawMode(false);
      input.pause();
      output.write('\n');
      resolve(line);
    };
    const onData = (chunk: Buffer) => {
      for (const letter of chunk.toString('utf8')) {
        if (letter === '\r' || letter === '\n' || letter === '\u0004') return end(text);
        // In raw mode the interrupt key is a character.
        if (letter === '\u0003') {
          end('');
          process.kill(process.pid, 'SIGINT');
          return;
        }
        if (letter === '\u007f' || letter === '\b') text = [...text].slice(0, -1).join('');
        else text += letter;
      }
    };
    input.on('data', onData);
  });
}
