import { sql } from 'kysely';
import type { Socket } from 'socket.io';
import { imCodes, type ImCodeName } from '../../contract/im/codes.ts';
import { handshake, type Handshake } from '../../contract/im/wire.ts';
import { ownDb } from '../database.ts';
import { EMBEDDED_APP_ID, type ImEngine } from './engine.ts';
import { aliveSince } from './presence.ts';
import { signKey } from './signKey.ts';
import { readUserSig } from './userSign.ts';

export interface Admitted {
  userID: string;
  clientId: string;
  device: Handshake['device'];
  cursor: number | null;
  lastEventSeq: number;
  /** Milliseconds at which the sign is over. */
  until: number;
}

/** Refusal of a connection, as `connect_error` carries it. */
export const connectError = (name: ImCodeName): Error => Object.assign(new Error(imCodes[name][1]), { data: { code: imCodes[name][0], message: imCodes[name][1] } });

/** Address of the person behind trusted proxies, as far as the socket knows it. */
const addressOf = (socket: Socket): string => socket.handshake.address;

/** Who may come in: a genuine, living sign of an account that is not shut, within the numbers of connections. */
export async function admit(engine: ImEngine, socket: Socket, here: number): Promise<Admitted | ImCodeName> {
  const { kernel } = engine;
  const said = handshake.safeParse(socket.handshake.auth);
  if (!said.success) return 'SIG_REFUSED';
  const facts = readUserSig(said.data.userSig, await signKey(kernel), EMBEDDED_APP_ID);
  const now = kernel.clock.now();
  if (!facts || facts.userID !== said.data.userID || said.data.sdkAppID !== EMBEDDED_APP_ID) return 'SIG_REFUSED';
  const until = (facts.time + facts.expire) * 1000;
  const user = await ownDb(kernel.db).selectFrom('consultationImUser').select(['sigNotBefore', 'disabledAt', 'lastEventSeq']).where('imUserId', '=', facts.userID).executeTakeFirst();
  // A sign holds whole seconds: one of the very second of a logout is refused too.
  const tooEarly = user?.sigNotBefore && facts.time * 1000 <= Date.parse(user.sigNotBefore);
  if (!user || tooEarly || until <= Date.parse(now)) return 'SIG_REFUSED';
  if (user.disabledAt) return 'DISABLED';
  if (here >= engine.limits.connections.node) return 'BROKEN';
  const { rows } = await sql<{ own: number; address: number }>`
    select count(*) filter (where im_user_id = ${facts.userID} and client_id <> ${said.data.clientId})::int as own, count(*) filter (where ip = ${addressOf(socket)} and client_id <> ${said.data.clientId})::int as address
      from consultation_im_connection where (im_user_id = ${facts.userID} or ip = ${addressOf(socket)}) and last_seen_at > ${aliveSince(kernel)}::timestamptz`.execute(kernel.db);
  if (rows[0]!.own >= engine.limits.connections.user) return 'REPLACED';
  if (rows[0]!.address >= engine.limits.connections.address) return 'BROKEN';
  return { userID: facts.userID, clientId: said.data.clientId, device: said.data.device, cursor: said.data.cursor ?? null, lastEventSeq: Number(user.lastEventSeq), until };
}

export async function noteConnection(engine: ImEngine, socket: Socket, admitted: Admitted): Promise<void> {
  await ownDb(engine.kernel.db).insertInto('consultationImConnection')
    .values({
      socketId: socket.id, imUserId: admitted.userID, node: engine.hub.node, device: admitted.device, clientId: admitted.clientId, ip: addressOf(socket), lastSeenAt: engine.kernel.clock.now(),
    })
    .execute();
}

export async function forgetConnection(engine: ImEngine, socket: Socket): Promise<void> {
  await ownDb(engine.kernel.db).deleteFrom('consultationImConnection').where('socketId', '=', socket.id).execute();
}
