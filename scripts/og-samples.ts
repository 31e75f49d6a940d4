// Texts, colors and pictures that stress a card.
import sharp from 'sharp';

export const samples = {
  long: 'How we rebuilt the whole rendering pipeline from the ground up, moved every template to a typographic scale, taught the cards to read from right to left, and still made each of them four times faster than before without changing a single address that anybody had ever published anywhere in the world',
  colors: [
    ['#facc15', '#ffffff'],
    ['#000000', '#000000'],
    ['#ffffff', '#ffffff'],
    ['#ff0000', '#808080'],
    ['#0ea5e9', '#7c3aed'],
    ['#f472b6', '#fde68a'],
    ['hsl(150 80% 30%)', 'rgb(250 245 255)'],
    ['#22d3ee', '#111827'],
  ],
  scripts: {
    Arabic: ['كيف أعدنا بناء خط إنتاج الصور بالكامل وجعلناه أسرع', 'صور ولقطات شاشة وملفات من خدمة واحدة تديرها بنفسك'],
    Hebrew: [
      'איך בנינו מחדש את מנוע התמונות ועשינו אותו מהיר יותר',
      'צילומי מסך, קובצי PDF ותמונות משירות אחד שאתם מפעילים',
    ],
    Japanese: ['画像生成の仕組みを一から作り直して四倍速くした話', 'スクリーンショットと画像を自分のサーバーから'],
    'Simplified Chinese': ['我们如何从头重建渲染流程并让它快了四倍', '截图、文档和社交图片，一个由你自己运行的服务'],
    'Traditional Chinese': ['我們如何從頭重建渲染流程並讓它快了四倍', '截圖、文件和社群圖片，一個由你自己執行的服務'],
    Korean: [
      '렌더링 파이프라인을 처음부터 다시 만들어 네 배 빠르게 했습니다',
      '직접 운영하는 하나의 서비스로 만드는 이미지',
    ],
    Hindi: ['हमने छवि निर्माण को फिर से कैसे बनाया और चार गुना तेज़ किया', 'स्क्रीनशॉट और चित्र आपकी अपनी सेवा से'],
    Thai: ['เราสร้างระบบเรนเดอร์ใหม่ทั้งหมดและทำให้เร็วขึ้นสี่เท่าได้อย่างไร', 'ภาพหน้าจอและรูปภาพจากบริการของคุณเอง'],
    Vietnamese: [
      'Chúng tôi đã xây dựng lại toàn bộ quy trình kết xuất như thế nào',
      'Ảnh chụp màn hình từ dịch vụ của chính bạn',
    ],
    Russian: [
      'Как мы перестроили весь конвейер рендеринга с нуля',
      'Снимки экрана и картинки из одного вашего сервиса',
    ],
    Greek: [
      'Πώς ξαναχτίσαμε ολόκληρη τη διαδικασία απόδοσης εικόνων',
      'Στιγμιότυπα και εικόνες από τη δική σας υπηρεσία',
    ],
    Emoji: ['Ship it 🚀 with family 👨‍👩‍👧‍👦 flags 🇯🇵🇧🇷 and 👩🏽‍💻', 'Hearts ❤️‍🔥 keys 1️⃣ new 🫪 🫯 and → ∑ ∞ ✓'],
  } as Record<string, string[]>,
  image: (url: string): Promise<Buffer> => {
    const isLogo = url.endsWith('/logo');
    const isPortrait = url.endsWith('/avatar');
    const svg = isLogo
      ? '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="160"><rect width="160" height="160" rx="36" fill="#0ea5e9"/><path d="M44 116V44l72 72V44" fill="none" stroke="#fff" stroke-width="18"/></svg>'
      : isPortrait
        ? '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400" fill="#e7b48f"/><circle cx="200" cy="165" r="82" fill="#5b3a29"/><path d="M50 400c10-110 80-140 150-140s140 30 150 140z" fill="#23405e"/></svg>'
        : '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900"><defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="#fbd38d"/><stop offset="1" stop-color="#f687b3"/></linearGradient></defs><rect width="1200" height="900" fill="url(#s)"/><circle cx="820" cy="330" r="120" fill="#fff7e0"/><path d="M0 900V560l300-230 260 260 180-150 460 330v130z" fill="#553c6b"/><path d="M0 900V720l260-120 340 190 280-120 320 150v80z" fill="#2d2140"/></svg>';
    return sharp(Buffer.from(svg)).png().toBuffer();
  },
};
