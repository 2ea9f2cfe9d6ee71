// Theme, palette, language and direction before the first paint. A file of its own because the content policy allows no inline script;
// classic and blocking on purpose. The tables are those of libs/i18n, a test compares them.
(function () {
  var lang = { zh: 'zh-Hans-CN', hk: 'zh-Hant-HK', jp: 'ja', cr: 'ht' };
  var codes = ' en tr th ar vi ko zh pt hk jp es de fr it sv cr ';
  var html = document.documentElement;
  var read = function (key) {
    // Storage throws when the browser blocks it; the defaults stand then.
    try {
      return localStorage.getItem(key);
    } catch (error) {
      return error && null;
    }
  };
  var locale = read('locale');
  var known = locale && codes.indexOf(' ' + locale + ' ') >= 0;
  if (known) {
    html.lang = lang[locale] || locale;
    html.dir = locale === 'ar' ? 'rtl' : 'ltr';
  }
  var theme = read('theme') === 'white' ? 'white' : 'dark';
  html.dataset.theme = theme;
  var palette = read('palette');
  if (palette === 'swapped' || palette === 'colorblind') html.dataset.palette = palette;
  var colour = document.querySelector('meta[name=theme-color]');
  if (colour) colour.setAttribute('content', theme === 'white' ? '#F5F6F9' : '#0B0E14');
  // The texts of the screen, which the page would request one round trip after its own code.
  var texts = document.querySelector('meta[name=texts]');
  var files = texts ? JSON.parse(texts.content)[known ? locale : 'en'] : [];
  for (var i = 0; i < files.length; i++) {
    var link = document.createElement('link');
    link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = '/' + files[i];
    document.head.appendChild(link);
  }
})();
