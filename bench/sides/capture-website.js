// capture-website as its README uses it: it starts a browser for every picture. Run from the folder where it is installed.
import captureWebsite from 'capture-website';
import { answer } from './answer.js';

answer(({ url, format, fullPage = false }) => {
  if (format === 'webp' || format === 'png' || format === 'jpg' || format === 'pdf')
    return captureWebsite.buffer(url, {
      width: 1280,
      height: 800,
      scaleFactor: 1,
      type: format === 'jpg' ? 'jpeg' : format,
      ...(format === 'jpg' || format === 'webp' ? { quality: 0.8 } : {}),
      fullPage: fullPage && format !== 'pdf',
      timeout: 30,
      waitForNetworkIdle: false,
      launchOptions: { executablePath: process.env.BENCH_BROWSER, args: ['--no-sandbox', '--disable-gpu'] },
    });
  throw new Error(`${format} is not made`);
});
