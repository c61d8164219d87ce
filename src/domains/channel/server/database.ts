import type { Kysely, Transaction } from 'kysely';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import type { ChannelTables as Tables } from './tables.ts';

/** A plain object type, as Kysely wants it. */
type ChannelTables = Pick<Tables, keyof Tables>;

export type ChannelDb = Kysely<ChannelTables>;
export type ChannelTx = Transaction<ChannelTables>;

/** The same handles, narrowed to the tables of this domain. */
export const own = (db: Db): ChannelDb => db.withTables<ChannelTables>();
export const ownTx = (tx: Tx): ChannelTx => tx.withTables<ChannelTables>();

export const like = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
