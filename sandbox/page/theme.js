// Not a module: it runs before the first paint, so that a dark page never flashes white.
(() => {
  const key = 'hostler.theme';
  const systemDark = matchMedia('(prefers-color-scheme: dark)');
  const chosen = () => localStorage.getItem(key);
  const apply = () => {
    document.documentElement.dataset.theme = chosen() ?? (systemDark.matches ? 'dark' : 'light');
  };
  systemDark.addEventListener('change', apply);
  apply();
  document.addEventListener('hostler:theme', () => {
    localStorage.setItem(key, document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
    apply();
  });
})();
