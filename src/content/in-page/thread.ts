// Runs inside the page: threads of posts, as in a forum, below a question or below an issue.

export default function () {
  /** The classes that forums, Stack Exchange, GitHub and comment systems give to the posts of their users. */
  const posts =
    ':is(div, li, article, section, tr):is(.post, .topic-post, .postbit, .comment, .comtr, .reply, .message, .js-question, .js-answer, .timeline-comment)';

  /** Posts of several users that are half of the page: the extractor would leave out their names and dates. */
  const isThread = (body: Element, length: number): boolean => {
    const outer = [...body.querySelectorAll(posts)].filter((post) => !post.parentElement?.closest(posts)).slice(0, 500);
    const isAnswered = outer.some((post) => post.classList.contains('js-answer'));
    return (
      outer.length >= (isAnswered ? 2 : 3) && outer.reduce((sum, post) => sum + reader.textLength(post), 0) > length / 2
    );
  };

  const around =
    ':is(nav, aside, footer, header, [role="navigation"], [role="complementary"], [role="contentinfo"], [role="banner"])';

  /** Takes out what the site has on all of its pages, as far as it says so. */
  const takeOutSite = (body: Element) => {
    for (const part of body.querySelectorAll(around))
      if (!part.closest(posts) && !part.querySelector(posts) && !part.querySelector('h1')) part.remove();
  };

  return { isThread, takeOutSite };
}
