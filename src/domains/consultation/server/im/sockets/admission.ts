import { sql } from 'kysely';
import type { Socket } from 'socket.io';
import { clientAddress } from '#kernel/server/realtime/clientAddress.ts';
import { operatorIdOf, roleOf } from '../../../contract/im/ids.ts';
import { imCodes, type ImCodeName } from '../../../contract/im/codes.ts';
import { handshake, type Handshake, type SignLife } from '../../../contract/im/wire.ts';
import { own } from '../../database.ts';
import { EMBEDDED_APP_ID, type ImEngine } from '../engine.ts';
import { signKey } from '../accounts/userSign.ts';
import { readUserSig } from '../accounts/userSign.ts';
import { aliveSince } from './presence.ts';

export interface Admitted {
  userID: string;
  clientId: string;
  device: Handshake['device'];
  cursor: number | null;
  lastEventSeq: number;
  /** Times of the sign, in milliseconds; the end moves when it is renewed. */
  sign: SignLife;
}

/** Refusal of a connection, as `connect_error` carries it. */
export const connectError = (name: ImCodeName): Error =>
  Object.assign(new Error(imCodes[name][1]), { data: { code: imCodes[name][0], message: imCodes[name][1] } });

/** Address of the person, behind the deployment's own proxies where it has some. */
const addressOf = ({ kernel }: ImEngine, { handshake: { address, headers } }: Socket): string =>
  clientAddress(kernel.config.trustedProxies, address, headers['x-forwarded-for']);

type SignedUser = { sign: SignLife; lastEventSeq: number };

/** Whether a sign is genuine, living, and of an account that is not shut. */
export async function checkSign({ kernel }: ImEngine, userID: string, userSig: string): Promise<SignedUser | 'SIG_REFUSED' | 'DISABLED'> {
  const facts = readUserSig(userSig, await signKey(kernel), EMBEDDED_APP_ID);
  if (!facts || facts.userID !== userID) return 'SIG_REFUSED';
  const sign: SignLife = { issuedAt: facts.time * 1000, endsAt: (facts.time + facts.expire) * 1000 };
  const user = await own(kernel.db)
    .selectFrom('consultationImUser')
    .select(['sigNotBefore', 'disabledAt', 'lastEventSeq'])
    .where('imUserId', '=', userID)
    .executeTakeFirst();
  // A sign holds whole seconds: one of the very second of a logout is refused too.
  const tooEarly = user?.sigNotBefore && sign.issuedAt <= Date.parse(user.sigNotBefore);
  if (!user || tooEarly || sign.endsAt <= Date.parse(kernel.clock.now())) return 'SIG_REFUSED';
  return user.disabledAt ? 'DISABLED' : { sign, lastEventSeq: Number(user.lastEventSeq) };
}

/** Who may come in: a genuine, living sign of an account that is not shut, within the numbers of connections. */
export async function admit(engine: ImEngine, socket: Socket, here: number): Promise<Admitted | ImCodeName> {
  const { kernel } = engine;
  const parsed = handshake.safeParse(socket.handshake.auth);
  if (!parsed.success) return 'SIG_REFUSED';
  const { userID, clientId, device } = parsed.data;
  const signed = parsed.data.sdkAppID === EMBEDDED_APP_ID ? await checkSign(engine, userID, parsed.data.userSig) : 'SIG_REFUSED';
  if (typeof signed === 'string') return signed;
  const ip = addressOf(engine, socket);
  if (here >= engine.limits.connections.node) return 'BROKEN';
  const { rows } = await sql<{ own: number; address: number }>`
    select count(*) filter (where im_user_id = ${userID} and client_id <> ${clientId})::int as own,
        count(*) filter (where ip = ${ip} and client_id <> ${clientId})::int as address
      from consultation_im_connection
      where (im_user_id = ${userID} or ip = ${ip}) and last_seen_at > ${aliveSince(kernel)}::timestamptz`.execute(kernel.db);
  if (rows[0]!.own >= engine.limits.connections.user) return 'REPLACED';
  if (rows[0]!.address >= engine.limits.connections.address) return 'BROKEN';
  return { userID, clientId, device, cursor: parsed.data.cursor ?? null, ...signed };
}

export async function noteConnection(engine: ImEngine, socket: Socket, admitted: Admitted): Promise<void> {
  await own(engine.kernel.db)
    .insertInto('consultationImConnection')
    .values({
      socketId: socket.id,
      imUserId: admitted.userID,
      node: engine.hub.node,
      device: admitted.device,
      clientId: admitted.clientId,
      ip: addressOf(engine, socket),
      lastSeenAt: engine.kernel.clock.now(),
    })
    .execute();
}

/** Of an assistant it is kept until when he was there: a page that is loaded again costs him no patient. */
export async function forgetConnection(engine: ImEngine, socket: Socket): Promise<void> {
  const db = own(engine.kernel.db);
  await db.deleteFrom('consultationImConnection').where('socketId', '=', socket.id).execute();
  const { userID } = socket.data as Admitted;
  if (roleOf(userID) === 'ASSISTANT')
    await db
      .updateTable('consultationAssistantDuty')
      .set({ lastConnectedAt: engine.kernel.clock.now() })
      .where('operatorId', '=', operatorIdOf(userID))
      .execute();
}
