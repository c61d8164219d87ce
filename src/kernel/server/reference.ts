import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Kernel } from './kernel.ts';

// Any process of a deployment may start first; the others wait here and then find everything written.
const START_LOCK = 4_815_162;

const hashOf = (content: unknown) => createHash('sha256').update(JSON.stringify(content)).digest('hex');

async function setting(kernel: Kernel, name: string): Promise<string | null> {
  const { rows } = await sql<{ value: string }>`select value from kernel_setting where name = ${name}`.execute(kernel.db);
  return rows[0]?.value ?? null;
}

const lockStart = (tx: Parameters<Parameters<Kernel['transactions']['run']>[1]>[0]['tx']) =>
  sql`select pg_advisory_xact_lock(${START_LOCK})`.execute(tx);

/** Writes the reference data whose content changed since the last start. Safe for processes that start together. */
export async function writeReference(kernel: Kernel): Promise<void> {
  for (const data of kernel.registry.modules.flatMap((module) => module.reference ?? [])) {
    const name = `reference.${data.name}`;
    const checksum = hashOf(data.content);
    if ((await setting(kernel, name)) === checksum) continue;
    await kernel.transactions.run('start', async ({ tx }) => {
      await lockStart(tx);
      if ((await setting(kernel, name)) === checksum) return;
      const now = kernel.clock.now();
      await data.write(tx, now);
      await sql`
        insert into kernel_setting (name, value, at) values (${name}, ${checksum}, ${now})
        on conflict (name) do update set value = excluded.value, at = excluded.at`.execute(tx);
    });
  }
}

/**
 * Writes the demonstration data of the domains that have not written theirs into this database yet; of processes
 * that start together one writes and the others wait.
 * @returns the domains written now.
 */
export async function writeDemo(kernel: Kernel): Promise<string[]> {
  const written: string[] = [];
  const { modules } = kernel.registry;
  const steps = [
    ...modules.map(({ domain, demo }) => ({ domain, name: `demo.${domain}`, write: demo })),
    ...modules.map(({ domain, demoAfter }) => ({ domain, name: `demo.${domain}.after`, write: demoAfter })),
  ];
  for (const { domain, name, write } of steps) {
    if (!write || (await setting(kernel, name))) continue;
    await kernel.transactions.run('demo', async ({ tx }) => {
      await lockStart(tx);
      if (await setting(kernel, name)) return;
      await write({
        kernel,
        now: kernel.clock.now(),
        db: kernel.db,
        transaction: (work) => kernel.transactions.run('demo', work),
      });
      await sql`insert into kernel_setting (name, value, at) values (${name}, 'done', ${kernel.clock.now()})`.execute(tx);
      if (!written.includes(domain)) written.push(domain);
    });
  }
  return written;
}
