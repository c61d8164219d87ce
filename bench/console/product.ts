import type { Page } from 'playwright-core';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runningAddress } from '../../src/kernel/server/database/embedded/embedded.ts';
import { connectOwner } from '../../src/kernel/server/database/migrator.ts';

const root = path.join(import.meta.dirname, '../..');
const CAPTCHA = 'kq2026';
/** Of every demonstration account. */
const PASSWORD = 'Kangqiao#2026';

export interface Product {
  address: string;
  /** Name of the long conversation. */
  long: string;
  stop(): Promise<void>;
}

/** The product with its demonstration, in which the long conversation is as long as asked. */
export async function startProduct(length: number): Promise<Product> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-bench-console-'));
  chmodSync(dataDir, 0o711);
  const own = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^(KANGQIAO|DATABASE|S3|SMS|REDIS)_/.test(key)));
  const child = spawn(process.execPath, [path.join(root, 'scripts/serve.ts')], {
    cwd: root, env: { ...own, KANGQIAO_DATA_DIR: dataDir, KANGQIAO_MODE: 'test', KANGQIAO_CAPTCHA_ANSWER: CAPTCHA, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const found = /is ready.*?(http:\/\/\S+)/.exec(said)?.[1];
        if (found && said.includes('Ctrl+C stops it')) resolve(found);
      });
      void ended.then(() => reject(new Error(`The product did not start:\n${said}`)));
    });
    return { address, long: await lengthen(dataDir, length), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Says again what was said in the longest conversation, in the same order, until it is as long as asked. */
async function lengthen(dataDir: string, length: number): Promise<string> {
  const address = runningAddress(dataDir);
  if (!address) throw new Error('The database does not run');
  const owner = await connectOwner(address);
  try {
    const { rows: [long] } = await owner.query<{ convId: string; lastSeq: number; name: string }>(
      'select g.conv_id as "convId", c.last_seq::int as "lastSeq", g.name from consultation_medical_group g join consultation_im_conversation c using (conv_id) order by c.last_seq desc limit 1',
    );
    await owner.query(
      `insert into consultation_im_message (conv_id, seq, sender_id, client_msg_id, type, payload, payload_hash, counts_unread, sent_at, search_tokens)
       select conv_id, $2::bigint + n, sender_id, gen_random_uuid()::text, type, payload, payload_hash, counts_unread, last_at + n * interval '1 second', search_tokens
       from (select m.*, row_number() over (order by seq) as n, max(sent_at) over () as last_at from consultation_im_message m where conv_id = $1 and revoked_at is null) said where n <= $3`,
      [long!.convId, long!.lastSeq, length - long!.lastSeq],
    );
    const { rows: [at] } = await owner.query<{ seq: number }>('select max(seq)::int as seq from consultation_im_message where conv_id = $1', [long!.convId]);
    if (at!.seq !== length) throw new Error(`The long conversation has ${at!.seq} messages`);
    await owner.query('update consultation_im_conversation set last_seq = $2 where conv_id = $1', [long!.convId, at!.seq]);
    await owner.query('update consultation_im_member set read_seq = $2 where conv_id = $1', [long!.convId, at!.seq]);
    await owner.query('analyze consultation_im_message');
    return long!.name;
  } finally {
    await owner.end();
  }
}

export async function signIn(page: Page, address: string, userName: string): Promise<void> {
  await page.goto(`${address}/login`);
  await page.getByAltText('图形验证码').waitFor();
  await page.getByLabel('用户名').fill(userName);
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await page.getByLabel('图形验证码', { exact: true }).fill(CAPTCHA);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: '主菜单' }).waitFor();
}
