import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';
import { makeSecrets } from './makeSecrets.ts';
import { assertSameKey, readMasterKey } from './masterKey.ts';

const secrets = makeSecrets(Buffer.alloc(32, 1));
const others = makeSecrets(Buffer.alloc(32, 2));

describe('encryption', () => {
  it('gives back what went in, differently each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (plain) => {
        const cipher = secrets.encrypt(plain);
        expect(secrets.decrypt(cipher)).toBe(Buffer.from(plain, 'utf8').toString('utf8'));
        expect(secrets.encrypt(plain)).not.toBe(cipher);
      }),
      { numRuns: 50 },
    );
  });

  it('refuses every changed character, a cut text and another key', () => {
    const cipher = secrets.encrypt('13812345678 康桥');
    for (let at = 0; at < cipher.length - 1; at++) {
      const changed = cipher.slice(0, at) + (cipher[at] === 'A' ? 'B' : 'A') + cipher.slice(at + 1);
      expect(() => secrets.decrypt(changed), `position ${at}`).toThrow();
    }
    for (const cut of ['', '.', cipher.slice(0, -4), cipher.slice(0, 20)]) expect(() => secrets.decrypt(cut)).toThrow();
    expect(() => others.decrypt(cipher)).toThrow(/was encrypted with the key/);
  });
});

describe('signatures and indexes', () => {
  it('verifies its own signature alone', () => {
    const signature = secrets.sign('upload', 'text');
    expect(secrets.verify('upload', 'text', signature)).toBe(true);
    for (const wrong of [
      signature.slice(1),
      `${signature}0`,
      signature.toUpperCase(),
      '',
      'x'.repeat(64),
      others.sign('upload', 'text'),
      secrets.sign('anchor', 'text'),
    ]) {
      expect(secrets.verify('upload', 'text', wrong), wrong).toBe(false);
    }
    expect(secrets.verify('upload', 'Text', signature)).toBe(false);
  });

  it('keeps the indexes of different columns and keys apart', () => {
    expect(secrets.blindIndex('mobile', '1')).toBe(makeSecrets(Buffer.alloc(32, 1)).blindIndex('mobile', '1'));
    const all = [
      secrets.blindIndex('mobile', '1'),
      secrets.blindIndex('idNo', '1'),
      secrets.blindIndex('mobile', '2'),
      others.blindIndex('mobile', '1'),
      secrets.sign('mobile', '1'),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('master key', () => {
  let database: TestDatabase;
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-key-'));
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database.close();
    rmSync(dataDir, { recursive: true });
  });

  it('is made once, readable by its owner alone, and refused when damaged', () => {
    const made = readMasterKey({ masterKey: null, dataDir });
    const file = path.join(dataDir, 'secrets/master.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readMasterKey({ masterKey: null, dataDir })).toEqual(made);
    expect(readMasterKey({ masterKey: Buffer.alloc(32, 9).toString('base64'), dataDir })).toEqual(Buffer.alloc(32, 9));
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 10));
    expect(() => readMasterKey({ masterKey: null, dataDir })).toThrow(/damaged/);
  });

  it('must be the one of the first start on this database', async () => {
    await assertSameKey(database.db, secrets, '2026-11-21T02:00:00.000Z');
    await assertSameKey(database.db, secrets, '2026-11-21T02:00:01.000Z');
    await expect(assertSameKey(database.db, others, '2026-11-21T02:00:02.000Z')).rejects.toThrow(/not the one that this database/);
  });
});
