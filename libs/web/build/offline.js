// The page without a network: its words in the stored language, and the ways back to the page that was asked for. The
// address stays, and so does all that the browser stores.
(function () {
  var words = /* texts */ {};
  /** How often the exchange is asked whether it is there: a network may be up before the exchange is. */
  var ASKED_MS = 5000;
  var locale = null;
  // Storage throws when the browser blocks it; English is shown then.
  try {
    locale = localStorage.getItem('locale');
  } catch (error) {
    console.debug('storage is blocked', error);
  }
  var own = words[locale] || words.en;
  var write = function (id, text) {
    document.getElementById(id).textContent = text;
  };
  write('title', own.title);
  write('text', own.text);
  write('retry', own.retry);
  document.title = own.title + ' · Bourse';
  var load = function () {
    location.reload();
  };
  document.getElementById('retry').addEventListener('click', load);
  addEventListener('online', load);
  setInterval(function () {
    fetch('/healthz', { cache: 'no-store' }).then(load, function (error) {
      console.debug('the exchange is not reached', error);
    });
  }, ASKED_MS);
})();
