import { describe, expect, it } from 'vitest';
import { makeUserSig, readUserSig, signatureOf } from './userSign.ts';

// Published with the vendor's libraries: the sample application and key, and what their Python edition answers at a fixed time.
const KEY = '5bd2850fff3ecb11d7c805251c51ee463a25727bddc2385f3fa8bfee1bb93b5e';
const FACTS = { userID: '0', sdkAppID: 1_400_000_000, time: 1_569_910_200, expire: 180 * 86_400 };
const PUBLISHED =
  'eJyrVgrxCdYrSy1SslIy0jNQ0gHzM1NS80oy0zLBwjDB4pTsxIKCzBQlK0MTAyiAyKRWFGQWpQLFTU1NjeCiJZm5YDEzS0tDAyOYaHFmOtBM54KsUqeUwGLLqPK8UndHryCL-Lx8-1RPy7Ty1AijMk9f30hLk0x-r3CvSFulWgAPYy*9';

describe('the user sign', () => {
  it('has the published hash', () => {
    expect(signatureOf(FACTS, KEY)).toBe('CpjuBdQs9ZwnuGAJR8onoOeI9fweX2vIMMY94iOJWJY=');
  });

  it('reads the published sign, and its own', () => {
    expect(readUserSig(PUBLISHED, KEY, FACTS.sdkAppID)).toEqual(FACTS);
    expect(readUserSig(makeUserSig(FACTS, KEY), KEY, FACTS.sdkAppID)).toEqual(FACTS);
    expect(makeUserSig(FACTS, KEY)).toMatch(/^[A-Za-z0-9*_-]+$/);
  });

  it('refuses another key, another application, a changed or senseless text', () => {
    const sign = makeUserSig(FACTS, KEY);
    expect(readUserSig(sign, `${KEY}0`, FACTS.sdkAppID)).toBeNull();
    expect(readUserSig(sign, KEY, 1_400_000_001)).toBeNull();
    expect(readUserSig(`${sign.slice(0, 40)}x${sign.slice(41)}`, KEY, FACTS.sdkAppID)).toBeNull();
    expect(readUserSig('eJxx', KEY, FACTS.sdkAppID)).toBeNull();
    expect(readUserSig('', KEY, FACTS.sdkAppID)).toBeNull();
  });
});
