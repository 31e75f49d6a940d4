// The words by which the sweep knows a banner, without a browser: the in-page script runs in a bare context.
import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { consentWords } from '../../src/capture/clean/consent-words.ts';
import { addTo, loadLibrary } from '../../src/capture/in-page.ts';

type IsBannerText = (prose: string, labels: string[], holds?: { named?: boolean; asksElse?: boolean }) => boolean;

const library = await loadLibrary<'consent'>(new URL('../../src/capture/clean/in-page/library.ts', import.meta.url));
const context = createContext({ tintypePage: { words: consentWords } });
runInContext(addTo('tintypePage', library.consent), context);
const { isBannerText } = context.tintypePage as { isBannerText: IsBannerText };

describe('The words of a cookie banner are known', () => {
  it.each([
    ['English', 'We use cookies to improve your experience.', 'Accept all'],
    [
      'English without the word',
      'We and our 120 partners store information on your device and process personal data.',
      'Agree',
    ],
    ['German', 'Wir verwenden Cookies, um unsere Website zu verbessern.', 'Alle akzeptieren'],
    ['French', 'Nous utilisons des cookies pour mesurer notre audience.', 'Tout accepter'],
    ['Spanish', 'Utilizamos cookies propias y de terceros.', 'Aceptar'],
    ['Italian', 'Questo sito utilizza cookie tecnici e di profilazione.', 'Accetta'],
    ['Portuguese', 'Utilizamos cookies para melhorar a sua experiência.', 'Aceitar'],
    ['Dutch', 'Wij gebruiken cookies om de website te verbeteren.', 'Akkoord'],
    ['Polish', 'Ta strona używa plików cookie.', 'Akceptuję'],
    ['Swedish', 'Vi använder kakor för att förbättra webbplatsen.', 'Jag förstår'],
    ['Danish', 'Vi bruger cookies til at forbedre din oplevelse.', 'Tillad alle'],
    ['Norwegian', 'Vi bruker informasjonskapsler på dette nettstedet.', 'Godta'],
    ['Finnish', 'Käytämme evästeitä parantaaksemme palvelua.', 'Hyväksy'],
    ['Czech', 'Tento web používá soubory cookie.', 'Souhlasím'],
    ['Hungarian', 'Weboldalunk sütiket használ.', 'Elfogadom'],
    ['Turkish', 'Bu sitede çerezler kullanılmaktadır.', 'Kabul et'],
    ['Greek', 'Χρησιμοποιούμε cookies για να βελτιώσουμε τον ιστότοπο.', 'Αποδοχή'],
    ['Russian', 'Мы используем файлы cookie.', 'Принять'],
    ['Ukrainian', 'Ми використовуємо файли cookie.', 'Прийняти'],
    ['Japanese', '当サイトではCookieを使用しています。', '同意する'],
    ['Chinese', '我们使用Cookie来改善您的体验。', '接受'],
    ['Korean', '이 사이트는 쿠키를 사용합니다.', '동의'],
    ['Arabic', 'نستخدم ملفات تعريف الارتباط لتحسين تجربتك.', 'موافق'],
    ['Arabic with a loan word', 'يستخدم هذا الموقع الكوكيز لتقديم أفضل خدمة.', 'فهمت'],
    ['Hebrew', 'אתר זה משתמש בעוגיות כדי לשפר את חוויית הגלישה.', 'אני מסכים'],
    ['Hebrew, files', 'אנו עושים שימוש בקובצי Cookie באתר.', 'הבנתי'],
    ['Hindi', 'हम आपके अनुभव को बेहतर बनाने के लिए कुकीज़ का उपयोग करते हैं।', 'स्वीकार करें'],
    ['Hindi, only closed', 'यह वेबसाइट कुकीज का इस्तेमाल करती है।', 'ठीक है'],
    ['Vietnamese', 'Chúng tôi sử dụng cookie để cải thiện trải nghiệm của bạn.', 'Chấp nhận'],
    ['Vietnamese, only closed', 'Trang web này sử dụng cookies.', 'Đã hiểu'],
    ['Indonesian', 'Situs ini menggunakan cookie untuk meningkatkan layanan.', 'Terima'],
    ['Indonesian, only closed', 'Kami menggunakan kuki di situs ini.', 'Saya mengerti'],
  ])('in %s', (_language, prose, label) => {
    expect(isBannerText(prose, [label])).toBe(true);
  });
});

describe('What only sounds like one is left alone', () => {
  it.each([
    ['a recipe', 'Store cookies in a tin. These cookies use brown butter.', ['Got it']],
    ['a bake sale', 'All our cookies are two for one until Friday.', ['OK', 'Close']],
    ['new terms', 'New terms of service apply to your account.', ['Accept', 'Decline']],
    [
      'a study',
      'You give your consent to the recording. Your personal data are deleted after five years.',
      ['I agree', 'Decline'],
    ],
    ['an age gate', 'Are you over 18? By entering you agree to our use of cookies.', ['I agree, I am over 18']],
    [
      'a paywall',
      'Keep reading for 1 € a week. By subscribing you agree to our cookie policy.',
      ['Subscribe', 'Log in', '×'],
    ],
    ['a recipe in Hebrew', 'עוגיות שוקולד צ׳יפס: מתכון קל ומהיר.', ['הבנתי', 'סגור']],
    ['thanks in Indonesian', 'Pesanan Anda sudah kami terima.', ['Terima kasih', 'Tutup']],
    ['an offer in Arabic', 'خصم على جميع الطلبات حتى نهاية الأسبوع.', ['موافق', 'إغلاق']],
    ['a location prompt', 'We use your location to show the nearest shop.', ['Allow', 'Not now']],
  ])('%s', (_kind, prose, labels) => {
    expect(isBannerText(prose, labels)).toBe(false);
  });

  it('a dialog that asks for an e-mail address or a password', () => {
    const prose = 'We use cookies to keep you signed in.';
    expect(isBannerText(prose, ['Accept'])).toBe(true);
    expect(isBannerText(prose, ['Accept'], { asksElse: true })).toBe(false);
  });

  it('cookies in the small print do not make a wall of a paywall, but "accept or subscribe" is one', () => {
    const labels = ['Accept and continue', 'Subscribe'];
    expect(isBannerText('Read on with ads: we and our 180 partners use cookies.', labels)).toBe(true);
    expect(isBannerText('Our best stories. Read the cookie policy.', labels)).toBe(false);
  });
});
