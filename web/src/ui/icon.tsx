// The icons, drawn on a 16-pixel grid with one stroke width.
const paths = {
  key: 'M9.5 9.5a4 4 0 1 0-3-3L2 11v3h3v-2h2v-2z M11 5v.01',
  chart: 'M2.5 13.5h11 M4.5 11V8 M8 11V3.5 M11.5 11V6',
  sliders: 'M2.5 5h6 M11.5 5h2 M2.5 11h2 M7.5 11h6 M10 3.5v3 M6 9.5v3',
  images: 'M2.5 4.5h9v9h-9z M5 2h9v9 M2.5 11l3-3 2.5 2.5 1.5-1.5 2 2',
  stack: 'M8 2L2 5l6 3 6-3z M2 8l6 3 6-3 M2 11l6 3 6-3',
  globe: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z M2 8h12 M8 2c-4 4-4 8 0 12 M8 2c4 4 4 8 0 12',
  layout: 'M2.5 2.5h11v11h-11z M2.5 6.5h11 M6.5 6.5v7',
  users:
    'M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z M1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4 M10.5 3.2a2.5 2.5 0 0 1 0 4.6 M12 9.8c1.5.5 2.5 1.9 2.5 3.7',
  pulse: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  gear: 'M3 4.5h10 M3 11.5h10 M6 4.5a1.5 1.5 0 1 0 0-.01z M10 11.5a1.5 1.5 0 1 0 0-.01z',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6z M8 1.5v1 M8 13.5v1 M1.5 8h1 M13.5 8h1 M3.4 3.4l.7.7 M11.9 11.9l.7.7 M3.4 12.6l.7-.7 M11.9 4.1l.7-.7',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  screen: 'M2 3h12v8H2z M5.5 13.5h5 M8 11v2.5',
  copy: 'M5.5 5.5h8v8h-8z M10.5 5.5v-3h-8v8h3',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  lock: 'M3.5 7.5h9v6h-9z M5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  plus: 'M8 3v10 M3 8h10',
  more: 'M3.5 8v.01 M8 8v.01 M12.5 8v.01',
  close: 'M4 4l8 8 M12 4l-8 8',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  arrow: 'M3 8h10 M9 4l4 4-4 4',
  download: 'M8 2.5v8 M4.5 7L8 10.5 11.5 7 M2.5 13.5h11',
  trash: 'M2.5 4.5h11 M6 4.5v-2h4v2 M4 4.5l.5 9h7l.5-9 M6.8 7v4 M9.2 7v4',
  external: 'M6.5 3.5h-4v10h10v-4 M9 2.5h4.5V7 M13.5 2.5L7.5 8.5',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9z M10.3 10.3l3.2 3.2',
  menu: 'M2.5 5h11 M2.5 11h11',
  alert: 'M8 2.5l6 11H2z M8 6.5v3 M8 11.5v.01',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z M8 7.5v3.5 M8 5v.01',
  send: 'M14 2L9.5 14 7 9 2 6.5z M14 2L7 9',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.5L13.5 6 M13.5 2.5V6H10',
  leave: 'M9.5 2.5h-7v11h7 M6.5 8h7.5 M11 5l3 3-3 3',
  file: 'M3.5 1.5h6l3 3v10h-9z M9.5 1.5v3h3',
  camera: 'M1.5 4.5h3l1-2h5l1 2h3v9h-13z M8 11.5a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4z',
  book: 'M2.5 3h4A1.5 1.5 0 0 1 8 4.5v9A1.5 1.5 0 0 0 6.5 12h-4z M13.5 3h-4A1.5 1.5 0 0 0 8 4.5v9A1.5 1.5 0 0 1 9.5 12h4z',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, className = '' }: { name: IconName; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className={`size-4 shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.2 : 1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  );
}

/** A plate with its corners cut, and the oval of the portrait in it. */
export function Logo({ className = '' }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 20 20" className={`size-5 shrink-0 ${className}`} fill="currentColor">
      <path fillRule="evenodd" d="M5 1.5h10L18.5 5v10L15 18.5H5L1.5 15V5zM10 5a4 5 0 1 0 0 10 4 5 0 1 0 0-10z" />
    </svg>
  );
}

export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2 text-md font-semibold tracking-[-0.02em]">
      <Logo />
      Tintype
    </span>
  );
}
