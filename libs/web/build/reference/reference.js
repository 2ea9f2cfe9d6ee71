// The reference in the theme of the terminal, and the calls in Swagger UI where its page is.
const chosen = (() => {
  try {
    return localStorage.getItem('theme');
  } catch {
    return null; // storage that is closed has no theme in it
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
    // Its choice of a server has no name for who listens to the page.
    onComplete: () => document.querySelector('#servers')?.setAttribute('aria-label', 'Server'),
  });
