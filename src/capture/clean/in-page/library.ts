// The cleaning code that runs in a page, piece by piece. Each piece is a function that is sent into the page as text: it
// must not use anything outside of itself but the page and `tintypePage`, and what it returns becomes part of that.
import type { consentWords } from '../consent-words.ts';
import type { BannerFunctions, BoxFunctions } from '../in-page-types.ts';
import banners from './banners.ts';
import boxes from './boxes.ts';
import consent from './consent.ts';
import overlays from './overlays.ts';
import unlockPage from './unlock-page.ts';

export { banners, boxes, consent, overlays, unlockPage };

/** An error here: a piece does not return what the server expects of it. */
type HasCleanFunctions<T extends BannerFunctions & BoxFunctions> = T;

type CleanLibrary = HasCleanFunctions<
  ReturnType<typeof banners> &
    ReturnType<typeof boxes> &
    ReturnType<typeof consent> &
    ReturnType<typeof overlays> &
    ReturnType<typeof unlockPage>
>;

declare global {
  /** `words` is set before consent.ts runs. */
  var tintypePage: CleanLibrary & { words: typeof consentWords };
}
