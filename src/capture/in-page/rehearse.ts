// Runs on the blank page of a tab: calls what most pictures need. The page that follows in the same renderer finds it
// compiled, and the most common fonts loaded.

export default async function () {
  const { body } = document;
  body.innerHTML =
    '<h1>Aa</h1><p>Aa <a href="#">Aa</a></p><ul><li>Aa</li></ul><div style="font-family: sans-serif">Aa</div>';
  // It is laid out but never painted.
  body.style.visibility = 'hidden';
  const endsAt = Date.now();
  await tintype.settleAndLookAgain({
    loading: 0,
    motion: 0,
    drawing: 0,
    unfinished: 0,
    hidden: 0,
    redirecting: 0,
    endsAt,
  });
  await tintype.atOnce({ steps: 0, from: 0, height: 0, tallest: 0, images: 0, endsAt }, ({ height }) => {
    tintype.adopt('@page { margin: 0 }');
    return tintype.placeFixed(height);
  });
  tintype.facts('page');
  body.replaceChildren();
}
