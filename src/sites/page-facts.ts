// What is known about a page, and the parts of it that can fill a variable of a template.

/** Empty where the page does not say it. */
export type PageFacts = {
  readonly title: string;
  readonly description: string;
  readonly author: string;
  /** As it is shown. */
  readonly date: string;
  /** An https URL. */
  readonly image: string;
  /** An https URL of a png. */
  readonly icon: string;
  readonly siteName: string;
  /** The section or category. */
  readonly section: string;
  /** With its currency. */
  readonly price: string;
};

export const noFacts: PageFacts = {
  title: '',
  description: '',
  author: '',
  date: '',
  image: '',
  icon: '',
  siteName: '',
  section: '',
  price: '',
};

/** In the order of the dashboard. `host` and `address` are those of the page itself. */
export const parts = {
  title: 'Title',
  description: 'Description',
  author: 'Author',
  date: 'Date',
  section: 'Section',
  image: 'Image',
  icon: 'Icon of the site',
  siteName: 'Name of the site',
  host: 'Host name',
  address: 'Address without https://',
  price: 'Price',
} as const;

export type PagePart = keyof typeof parts;

export const isPagePart = (text: unknown): text is PagePart => typeof text === 'string' && Object.hasOwn(parts, text);
