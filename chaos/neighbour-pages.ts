// Pages that use what the pages of one browser share: the compositor, the GPU process, the browser's memory, the processors.
const html = (body: string) => `<!doctype html><title>neighbour</title><body>${body}`;
const script = (code: string) => html(`<h1>x</h1><script>${code}</script>`);
const worker = (code: string) => `URL.createObjectURL(new Blob([${JSON.stringify(code)}]))`;

type NeighbourPage = { readonly body: string; readonly query: string };
const page = (body: string, query = '&delay=10000'): NeighbourPage => ({ body, query });

export const neighbourPages: Readonly<Record<string, NeighbourPage>> = {
  compositor: page(
    html(`<style>
      @keyframes turn { to { transform: rotate(1turn) } }
      div { position: fixed; inset: 0; backdrop-filter: blur(40px); mix-blend-mode: difference; animation: turn 1s linear infinite }
      </style>${'<div></div>'.repeat(200)}`),
    '&width=3840&height=2160&delay=10000',
  ),
  GPU: page(
    script(`for (let n = 0; n < 40; n++) {
      const canvas = Object.assign(document.createElement('canvas'), { width: 2000, height: 2000 });
      document.body.append(canvas);
      const at = canvas.getContext('2d');
      (function draw() {
        at.filter = 'blur(30px)';
        for (let i = 0; i < 20; i++) at.fillRect(Math.random() * 1000, Math.random() * 1000, 1000, 1000);
        requestAnimationFrame(draw);
      })();
    }`),
  ),
  WebGL: page(
    script(`const canvas = Object.assign(document.createElement('canvas'), { width: 1200, height: 800 });
      document.body.append(canvas);
      const gl = canvas.getContext('webgl');
      const program = gl.createProgram();
      const add = (type, source) => {
        const shader = gl.createShader(type);
        gl.shaderSource(shader, source);
        gl.compileShader(shader);
        gl.attachShader(program, shader);
      };
      add(gl.VERTEX_SHADER, 'attribute vec2 at; void main() { gl_Position = vec4(at, 0, 1); }');
      add(gl.FRAGMENT_SHADER, 'precision highp float; void main() { float sum = 0.0; for (int i = 0; i < 20000000; i++) sum += sin(sum + gl_FragCoord.x); gl_FragColor = vec4(fract(sum), 0, 0, 1); }');
      gl.linkProgram(program);
      gl.useProgram(program);
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
      gl.drawArrays(gl.TRIANGLES, 0, 3);`),
  ),
  'memory of a page': page(
    script('const all = []; setInterval(() => all.push(new Uint8Array(64e6).fill(1)), 1)'),
    '&waitForSelector=%23never',
  ),
  'memory of the browser': page(
    script('const all = [], b = new Uint8Array(32e6).fill(1); setInterval(() => all.push(new Blob([b])), 1)'),
    '&waitForSelector=%23never',
  ),
  workers: page(script(`for (let i = 0; i < 100; i++) new Worker(${worker('for(;;);')})`)),
  'shared workers': page(
    script(
      `for (let i = 0; i < 20; i++) new SharedWorker(${worker("onconnect = ({ ports: [port] }) => { port.start(); for (;;) port.postMessage('x'.repeat(1000)) }")}, 'n' + i).port.start()`,
    ),
  ),
  // WebCodecs: a second of noise is encoded once and decoded by eight decoders without end.
  'video decoding': page(
    script(`(async () => {
      const [width, height] = [1920, 1080];
      const chunks = [];
      const encoder = new VideoEncoder({ output: (chunk) => chunks.push(chunk), error() {} });
      encoder.configure({ codec: 'vp8', width, height, bitrate: 2e7 });
      const canvas = new OffscreenCanvas(width, height);
      const at = canvas.getContext('2d');
      for (let i = 0; i < 10; i++) {
        for (let n = 0; n < 2000; n++) {
          at.fillStyle = 'hsl(' + Math.random() * 360 + ' 90% 50%)';
          at.fillRect(Math.random() * width, Math.random() * height, 40, 40);
        }
        const frame = new VideoFrame(canvas, { timestamp: i * 1e5 });
        encoder.encode(frame, { keyFrame: i === 0 });
        frame.close();
      }
      await encoder.flush();
      for (let n = 0; n < 8; n++) (async () => {
        const decoder = new VideoDecoder({ output: (frame) => frame.close(), error() {} });
        decoder.configure({ codec: 'vp8' });
        for (;;) {
          for (const chunk of chunks) decoder.decode(chunk);
          await decoder.flush();
        }
      })();
    })()`),
  ),
  PDF: page(
    script(
      "document.body.innerHTML = Array.from({ length: 40_000 }, (_, i) => '<p style=\"filter: drop-shadow(0 0 ' + (i % 20) + 'px red); break-after: page\">' + i).join('')",
    ),
    '&format=pdf&timeout=20000',
  ),
};
