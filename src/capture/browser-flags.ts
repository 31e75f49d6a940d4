// The command line of the browser, each flag with its reason.
import { statfsSync, statSync } from 'node:fs';
import { javascriptHeapMb } from './budgets.ts';

export const browserFlags = (profile: string, sandbox: boolean): string[] => [
  '--headless',
  // The protocol uses file descriptors 3 and 4: there is no debugging port that a page or another process could reach.
  '--remote-debugging-pipe',
  `--user-data-dir=${profile}`,
  ...(sandbox ? [] : ['--no-sandbox']),

  // The picture.
  '--hide-scrollbars',
  '--mute-audio',
  '--force-color-profile=srgb',
  // Drawing is done in software either way; without GL it uses less memory and is faster than SwiftShader.
  '--disable-gpu',
  // Otherwise images that are decoded asynchronously may be missing: 2–6 of 6 were painted.
  '--disable-checker-imaging',
  // Glyphs are placed without the system's hinting: the same picture on every machine.
  '--font-render-hinting=none',
  '--disable-lcd-text',
  // Animated images stay at their first frame (2 is NoAnimation), so that the same page gives the same picture. A page is
  // drawn beyond its window, so that a region is captured without a change of the window size that scripts would see.
  '--blink-settings=imageAnimationPolicy=2,mainFrameClipsContent=false',
  // The compositor moves by real time what the page's stopped clock holds.
  '--disable-threaded-animation',
  '--lang=en-US',
  '--accept-lang=en-US,en',

  // The machine.
  // Frames are handed over in /dev/shm. In files of the profile instead, a capture takes 6 % more processor time.
  ...(hasSharedMemory() ? [] : ['--disable-dev-shm-usage']),
  `--js-flags=--max-old-space-size=${javascriptHeapMb}`,
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--no-first-run',
  '--no-default-browser-check',
  '--password-store=basic',
  '--use-mock-keychain',
  // No page counts as a background page.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  // Our deadline ends an endless loop; the hang monitor would ask a user.
  '--disable-hang-monitor',
  '--disable-prompt-on-repost',

  // What pages must not do.
  '--block-new-web-contents',
  '--disable-notifications',
  '--disable-file-system',
  '--deny-permission-prompts',
  '--disable-extensions',
  '--disable-default-apps',
  '--disable-component-extensions-with-background-pages',

  // Requests of the browser's own.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--metrics-recording-only',
  '--no-pings',
  // RenderDocument makes a new frame for each document while it loads, although the tab has just made one for it. Without
  // it a small page takes 0.87 of the time.
  '--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AutofillServerCommunication,CertificateTransparencyComponentUpdater,InterestFeedContentSuggestions,AcceptCHFrame,RenderDocument',

  // The network. Every context has its own proxy; without one nothing can be reached, not even loopback.
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  // UDP would bypass the proxy: QUIC, WebRTC and the browser's own DNS.
  '--disable-quic',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  // The first works in the headless shell only, the second in full Chromium only.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** Is /dev/shm large enough for pages with large canvases? In a container it often has 64 MB. */
function hasSharedMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    // The browser may run as another user than this process.
    const isOpenToAll = (statSync('/dev/shm').mode & 0o7) === 0o7;
    return isOpenToAll && bavail * bsize >= 4e9;
  } catch {
    return false;
  }
}
