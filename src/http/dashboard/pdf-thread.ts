// Draws the first page of one PDF with PDFium, compiled to WebAssembly. It has a thread and a memory of its own, because
// the page that was printed may be hostile.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { init, type PdfiumModule } from '@embedpdf/pdfium';
import type { DrawnPage, PdfToDraw } from './pdf-preview.ts';

/** In bytes. An ordinary page takes 20 MB. */
const mostMemory = 256e6;

const rgba = { format: 4, bytes: 4, white: 0xffffffff };
/** PDFium's FPDF_REVERSE_BYTE_ORDER: it draws BGRA otherwise. */
const asRgba = 0x10;

type Imports = { env: { emscripten_resize_heap: (bytes: number) => number } };

let memory: WebAssembly.Memory;

const pdfium = await init({
  // What it says about a broken PDF is of no interest to the operator.
  printErr: () => {},
  instantiateWasm(imports: Imports & WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => object) {
    const grow = imports.env.emscripten_resize_heap;
    imports.env.emscripten_resize_heap = (bytes) => (bytes > mostMemory ? 0 : grow(bytes));
    const file = fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'));
    const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), imports);
    memory = instance.exports.memory as WebAssembly.Memory;
    return receive(instance);
  },
} as Partial<PdfiumModule>);
pdfium.PDFiumExt_Init();
const drawn = draw(workerData as PdfToDraw);
parentPort?.postMessage(drawn);

function draw({ pdf, width, mostHeight }: PdfToDraw): DrawnPage {
  const at = pdfium.pdfium.wasmExports.malloc(pdf.length);
  if (at === 0) throw new Error('The PDF is too large.');
  new Uint8Array(memory.buffer).set(pdf, at);
  const page = pdfium.FPDF_LoadPage(pdfium.FPDF_LoadMemDocument(at, pdf.length, ''), 0);
  const scale = width / pdfium.FPDF_GetPageWidthF(page);
  const wholeHeight = Math.max(1, Math.round(scale * pdfium.FPDF_GetPageHeightF(page)));
  if (!Number.isFinite(wholeHeight)) throw new Error('The PDF has no first page.');
  const height = Math.min(wholeHeight, mostHeight);
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, rgba.format, 0, width * rgba.bytes);
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, rgba.white);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, wholeHeight, 0, asRgba);
  const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
  return { pixels: new Uint8Array(memory.buffer).slice(start, start + width * height * rgba.bytes), width, height };
}
