import type { Tx } from '#kernel/server/context.ts';
import type { DeliveryKind } from '../../contract/delivery/dictionaries.ts';
import { advertOf } from '../adverts/facts.ts';
import type { Delivery } from './rows.ts';

/** Beside its columns what the form calls otherwise, and what an advert keeps of its own. */
export const viewOf = async (tx: Tx, kind: DeliveryKind, { id, name }: Delivery) =>
  kind === 'AD' ? { adName: name, ...(await advertOf(tx, id)) } : { bannerName: name };
