// The reference in the theme of the terminal, and the calls in Swagger UI where its page is.
const chosen = (() => {
  try {
    return localStorage.getItem('theme');
  } catch {
    return null; // a browser that blocks storage has no stored theme
  }
})();
document.documentElement.classList.toggle('dark-mode', chosen !== 'white');

if (typeof SwaggerUIBundle === 'function')
  SwaggerUIBundle({
    url: '/api/openapi.json',
    dom_id: '#calls',
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    tryItOutEnabled: false,
    validatorUrl: null,
    // Swagger UI's choice of a server has no accessible name.
    onComplete: () => document.querySelector('#servers')?.setAttribute('aria-label', 'Server'),
  });
