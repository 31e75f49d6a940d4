// The menu of small screens, and the theme.

export function enableHeader(): void {
  const menu = document.getElementById('menu') as HTMLButtonElement;
  const navigation = document.getElementById('navigation') as HTMLElement;
  const setOpen = (open: boolean) => {
    navigation.classList.toggle('open', open);
    menu.setAttribute('aria-expanded', String(open));
  };
  menu.addEventListener('click', () => setOpen(menu.getAttribute('aria-expanded') !== 'true'));
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || menu.getAttribute('aria-expanded') !== 'true') return;
    setOpen(false);
    menu.focus();
  });
  // The page that is shown may be far down in the list; the page itself must not scroll.
  const here = navigation.querySelector<HTMLElement>('[aria-current]');
  if (here) navigation.scrollTop = here.offsetTop - navigation.clientHeight / 2;

  const system = matchMedia('(prefers-color-scheme: dark)');
  const apply = (choice: string | null) => {
    const dark = choice === 'dark' || (choice !== 'light' && system.matches);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  };
  system.addEventListener('change', () => apply(stored()));
  const theme = document.getElementById('theme') as HTMLButtonElement;
  theme.addEventListener('click', () => {
    const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    apply(next);
    try {
      localStorage.setItem('theme', next);
    } catch {
      // Storage can be forbidden; the choice then lasts as long as the page.
    }
  });
}

function stored(): string | null {
  try {
    return localStorage.getItem('theme');
  } catch {
    return null;
  }
}
