/** A worker that does what it is asked for. */
import P from 'cpromise';
import { broad } from '../../fixtures/broad.js';

const ANSWERS = {
  host: () => P.host,
  broad: async () => JSON.stringify(await broad(P)),
  /** After some time uses what belongs to this request and no other. */
  async later(request, url) {
    const late = new P(() => {}).timeout(Number(url.searchParams.get('ms'))).catch(P.TimeoutError, () => request.text());
    return P.delay(1, late);
  },
};

export default {
  async fetch(request) {
    const url = new URL(request.url);
    try {
      return new Response(await ANSWERS[url.pathname.slice(1)](request, url));
    } catch (e) {
      return new Response(e.stack, { status: 500 });
    }
  },
};
