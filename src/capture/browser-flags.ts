// The command line of the browser, each flag with its reason.
import { javascriptHeapMb } from './budgets.ts';

export const browserFlags = (profile: string, sandbox: boolean): string[] => [
  '--headless',
  // The protocol goes through file descriptors 3 and 4: no debugging port that a page or a neighbour could reach.
  '--remote-debugging-pipe',
  `--user-data-dir=${profile}`,
  ...(sandbox ? [] : ['--no-sandbox']),

  // The picture.
  '--hide-scrollbars',
  '--mute-audio',
  '--force-color-profile=srgb',
  // Software drawing either way; without the GPU process's GL it takes less memory and is faster than SwiftShader.
  '--disable-gpu',
  // Without it, 2–6 of 6 asynchronously decoded images were painted.
  '--disable-checker-imaging',
  // Glyphs at their exact places, whatever the system's hinting is: the same picture on every machine.
  '--font-render-hinting=none',
  '--disable-lcd-text',
  // Animated images stay at their first frame (2 is NoAnimation): the same page, the same picture. A page is drawn beyond
  // its window: regions of it are captured without a change of the window that its scripts would see.
  '--blink-settings=imageAnimationPolicy=2,mainFrameClipsContent=false',
  '--lang=en-US',
  '--accept-lang=en-US,en',

  // The machine.
  // A container's /dev/shm is often 64 MB; big frames need more.
  '--disable-dev-shm-usage',
  `--js-flags=--max-old-space-size=${javascriptHeapMb}`,
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--no-first-run',
  '--no-default-browser-check',
  '--password-store=basic',
  '--use-mock-keychain',
  // Every page is in front, although none is seen.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  // An endless loop is ended by our deadline; the monitor would only ask a person.
  '--disable-hang-monitor',
  '--disable-prompt-on-repost',

  // What a page must not do.
  '--block-new-web-contents',
  '--disable-notifications',
  '--disable-file-system',
  '--deny-permission-prompts',
  '--disable-extensions',
  '--disable-default-apps',
  '--disable-component-extensions-with-background-pages',

  // What the browser would fetch for itself.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--metrics-recording-only',
  '--no-pings',
  // RenderDocument: a page would not be drawn in the frame that its slot has made, but in a second one that is made for
  // it while it loads. A slot serves one page: without, a small one takes 0.87 of the time.
  '--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AutofillServerCommunication,CertificateTransparencyComponentUpdater,InterestFeedContentSuggestions,AcceptCHFrame,RenderDocument',

  // The way out. Nothing works without a context's own proxy, loopback included.
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  // UDP would pass by the proxy: QUIC, WebRTC and the browser's own DNS.
  '--disable-quic',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  // The first works in the headless shell and not in full Chromium, the second the other way round.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];
