// In the place of universal-cookie: a cookie of a page in another site's frame is blocked or partitioned, and no state of ours uses one.

/** Refuses all that Reflex would do with cookies. */
export default class NoCookies {
  get(name: string): never {
    throw new Error(`the frame keeps no cookies: ${name}`);
  }

  set(name: string): never {
    return this.get(name);
  }

  remove(name: string): never {
    return this.get(name);
  }
}
