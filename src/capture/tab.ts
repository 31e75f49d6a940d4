// A tab: a new browser context with its own outlet and a blank page, ready to navigate. Tabs are made in advance and
// used for one render, so that no page can affect the next one.
import type { Egress, Outlet } from '../egress/egress-types.ts';
import { Problem } from '../kernel/errors.ts';
import type { Browser } from './browser.ts';
import type { CdpSession } from './cdp.ts';
import { desktopIdentity } from './identity.ts';
import { followClock } from './in-page.ts';

export type Tab = {
  readonly browser: Browser;
  readonly session: CdpSession;
  readonly outlet: Outlet;
  readonly frameId: string;
  readonly contextId: string;
  /** Removes the page and all it has stored; a page in an endless loop ends with its renderer. */
  dispose(): void;
};

/** The viewport of a new tab: the defaults of width, height and deviceScale, so that most renders need not change it. */
export const tabViewport = { width: 1280, height: 800, deviceScale: 1 } as const;

export async function createTab(browser: Browser, egress: Egress): Promise<Tab> {
  const outlet = await egress.createOutlet().catch((cause: unknown) => {
    throw new Problem('renderer_unavailable', { cause });
  });
  let contextId: string | undefined;
  try {
    ({ browserContextId: contextId } = await browser.session.send('Target.createBrowserContext', {
      proxyServer: `http://127.0.0.1:${outlet.port}`,
      // The bypass list of the command line does not apply to a context: without this, loopback would bypass the proxy.
      proxyBypassList: '<-loopback>',
      disposeOnDetach: true,
    }));
    // The id of a page is that of its main frame as well.
    const { targetId: frameId } = await browser.session.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId: contextId,
      width: tabViewport.width,
      height: tabViewport.height,
    });
    const session = await browser.connection.attach(frameId);
    await Promise.all([
      session.send('Page.enable'),
      session.send('Inspector.enable'),
      followClock(session),
      session.send('Emulation.setUserAgentOverride', desktopIdentity(browser.version)),
      session.send('Emulation.setDeviceMetricsOverride', {
        width: tabViewport.width,
        height: tabViewport.height,
        deviceScaleFactor: tabViewport.deviceScale,
        mobile: false,
        screenWidth: tabViewport.width,
        screenHeight: tabViewport.height,
      }),
      browser.session.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId: contextId }),
    ]);
    // A dialog blocks the page until it is handled. Leaving the page is accepted, everything else is dismissed.
    session.on('Page.javascriptDialogOpening', ({ type }) =>
      session.send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }),
    );
    const tab: Tab = {
      browser,
      session,
      outlet,
      frameId,
      contextId,
      dispose: once(() => {
        session.end();
        dropContext(browser, contextId);
        outlet.close().catch(() => {});
      }),
    };
    return tab;
  } catch (error) {
    dropContext(browser, contextId);
    outlet.close().catch(() => {});
    throw error;
  }
}

function dropContext(browser: Browser, browserContextId: string | undefined): void {
  if (browserContextId !== undefined) browser.session.send('Target.disposeBrowserContext', { browserContextId });
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
}
