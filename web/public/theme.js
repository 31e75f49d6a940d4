// Runs before the first paint, as a file of its own because the page's policy allows no inline script:
// the theme is on the root element before anything is drawn, so it never flashes.
(() => {
  let choice = 'system';
  try {
    choice = localStorage.getItem('theme') ?? 'system';
  } catch {
    // Storage can be forbidden; the system's theme then stands.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  // The documentation shows what needs a script from its first paint on, so that nothing moves.
  document.documentElement.classList.add('scripted');
})();
