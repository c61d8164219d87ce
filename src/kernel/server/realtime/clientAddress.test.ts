import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { clientAddress } from './clientAddress.ts';

const cases: [trusted: string[], remote: string, forwarded: string | undefined][] = [
  [[], '10.0.0.1', '203.0.113.9'],
  [['10.0.0.1'], '10.0.0.1', undefined],
  [['10.0.0.1'], '10.0.0.1', '203.0.113.9'],
  [['10.0.0.1'], '10.0.0.2', '203.0.113.9'],
  // Whoever asks wrote the first himself.
  [['10.0.0.0/8'], '10.1.2.3', '198.51.100.7, 203.0.113.9, 10.4.4.4'],
  [['loopback', 'uniquelocal'], '::ffff:127.0.0.1', '203.0.113.9, 192.168.3.4'],
  [['loopback'], '::1', '2001:db8::5'],
  [['10.0.0.0/8'], '10.1.2.3', '10.2.2.2, 10.3.3.3'],
];

describe('the address of whoever opened a socket', () => {
  it.each(cases)('is the one that HTTP finds: trusted %j, from %s, forwarded %s', async (trusted, remote, forwarded) => {
    const app = fastify({ trustProxy: trusted.length > 0 ? trusted : false });
    app.get('/', (request) => request.ip);
    const { body } = await app.inject({
      url: '/',
      remoteAddress: remote,
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    });
    expect(clientAddress(trusted, remote, forwarded)).toBe(body);
    await app.close();
  });
});
