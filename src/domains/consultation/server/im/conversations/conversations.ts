import { sql } from 'kysely';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { UserRole } from '../../../contract/dictionaries.ts';
import { pairOf, peerOf } from '../../../contract/im/ids.ts';
import { own } from '../../database.ts';
import type { ConvName } from '../messages/present.ts';

const KEPT = 20_000;

/** Names of conversations never change, so each process remembers those it met. */
export class ConversationNames {
  readonly #byKey = new Map<string, ConvName>();
  readonly #byId = new Map<string, ConvName>();

  keyOf(viewer: string, conversationID: string): string {
    const peer = peerOf(conversationID);
    return 'groupID' in peer ? peer.groupID : pairOf(viewer, peer.userID).join('|');
  }

  known(viewer: string, conversationID: string): ConvName | undefined {
    return this.#byKey.get(this.keyOf(viewer, conversationID));
  }

  /** @returns null where there is no such conversation. */
  async find(db: Db | Tx, viewer: string, conversationID: string): Promise<ConvName | null> {
    const known = this.known(viewer, conversationID);
    if (known) return known;
    const peer = peerOf(conversationID);
    const base = own(db).selectFrom('consultationImConversation').select(['convId', 'groupId', 'userLow', 'userHigh']);
    const [low, high] = 'groupID' in peer ? ['', ''] : pairOf(viewer, peer.userID);
    const row = await (
      'groupID' in peer
        ? base.where('groupId', '=', peer.groupID)
        : base.where('type', '=', 'C2C').where('userLow', '=', low).where('userHigh', '=', high)
    ).executeTakeFirst();
    return row ? this.#keep(row) : null;
  }

  async byId(db: Db | Tx, convId: string): Promise<ConvName | null> {
    const known = this.#byId.get(convId);
    if (known) return known;
    const row = await own(db)
      .selectFrom('consultationImConversation')
      .select(['convId', 'groupId', 'userLow', 'userHigh'])
      .where('convId', '=', convId)
      .executeTakeFirst();
    return row ? this.#keep(row) : null;
  }

  #keep(name: ConvName): ConvName {
    if (this.#byId.size >= KEPT) {
      this.#byId.clear();
      this.#byKey.clear();
    }
    this.#byId.set(name.convId, name);
    this.#byKey.set(name.groupId ?? `${name.userLow}|${name.userHigh}`, name);
    return name;
  }
}

export interface LockedConversation extends ConvName {
  lastSeq: number;
  dissolvedAt: string | null;
  recentSends: number[];
  recentEngineSends: number[];
}

/** Locks conversations in the order of their ids, which all writers keep: conversations first, then accounts, then members. */
export async function lockConversations(tx: Tx, convIds: readonly string[]): Promise<Map<string, LockedConversation>> {
  interface Row extends ConvName {
    lastSeq: string;
    dissolvedAt: string | null;
    recentSends: string[];
    recentEngineSends: string[];
  }
  const { rows } = await sql<Row>`
    select conv_id, group_id, user_low, user_high, last_seq, dissolved_at, recent_sends, recent_engine_sends
      from consultation_im_conversation where conv_id = any(${[...new Set(convIds)]}::bigint[]) order by conv_id for no key update`.execute(
    tx,
  );
  return new Map(
    rows.map((row) => [
      row.convId,
      {
        ...row,
        lastSeq: Number(row.lastSeq),
        recentSends: row.recentSends.map(Number),
        recentEngineSends: row.recentEngineSends.map(Number),
      },
    ]),
  );
}

export interface LockedUser {
  imUserId: string;
  nick: string;
  avatar: string | null;
  lastEventSeq: number;
  recentSends: number[];
  disabledAt: string | null;
  riskMuteUntil: string | null;
  refId: string | null;
}

/** Locks accounts in the order of their ids; who holds one numbers its events. */
export async function lockUsers(tx: Tx, imUserIds: readonly string[]): Promise<Map<string, LockedUser>> {
  interface Row extends Omit<LockedUser, 'lastEventSeq' | 'recentSends'> {
    lastEventSeq: string;
    recentSends: string[];
  }
  const { rows } = await sql<Row>`
    select im_user_id, ref_id, nick, avatar, last_event_seq, recent_sends, disabled_at, risk_mute_until
      from consultation_im_user where im_user_id = any(${[...new Set(imUserIds)]}::text[]) order by im_user_id for no key update`.execute(
    tx,
  );
  return new Map(
    rows.map((row) => [row.imUserId, { ...row, lastEventSeq: Number(row.lastEventSeq), recentSends: row.recentSends.map(Number) }]),
  );
}

/**
 * Members of locked conversations with their accounts, in one statement: the accounts are locked in the order of their ids. Only those
 * of `senders` bring the times of their last messages.
 */
export async function lockMembers(
  tx: Tx,
  convIds: readonly string[],
  senders: readonly string[],
): Promise<{ members: Map<string, MemberRow[]>; users: Map<string, LockedUser> }> {
  interface Row extends Omit<LockedUser, 'lastEventSeq' | 'recentSends'> {
    lastEventSeq: string;
    recentSends: string[] | null;
    places: string[];
    roles: UserRole[];
    mutes: (string | null)[];
  }
  const { rows } = await sql<Row>`
    with m as materialized (
      select im_user_id, array_agg(conv_id) as places, array_agg(user_role) as roles,
          array_agg(to_char(mute_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as mutes
        from consultation_im_member
        where conv_id = any(${[...new Set(convIds)]}::bigint[]) and left_at is null
        group by im_user_id
    ),
    u as materialized (
      select im_user_id, ref_id, nick, avatar, last_event_seq,
          case when im_user_id = any(${[...new Set(senders)]}::text[]) then recent_sends end as recent_sends, disabled_at, risk_mute_until
        from consultation_im_user
        where im_user_id = any(array(select im_user_id from m))
        order by im_user_id for no key update
    )
    select u.*, m.places, m.roles, m.mutes
      from u
      join m on m.im_user_id = u.im_user_id`.execute(tx);
  const members = new Map<string, MemberRow[]>();
  const users = new Map<string, LockedUser>();
  for (const { places, roles, mutes, recentSends, lastEventSeq, ...account } of rows) {
    users.set(account.imUserId, { ...account, lastEventSeq: Number(lastEventSeq), recentSends: (recentSends ?? []).map(Number) });
    places.forEach((convId, at) => {
      const row = { convId, imUserId: account.imUserId, userRole: roles[at]!, muteUntil: mutes[at] ?? null };
      const known = members.get(convId);
      if (known) known.push(row);
      else members.set(convId, [row]);
    });
  }
  return { members, users };
}

export interface MemberRow {
  convId: string;
  imUserId: string;
  userRole: UserRole;
  muteUntil: string | null;
}

/** Who is in these conversations now. */
export async function membersOf(db: Db | Tx, convIds: readonly string[]): Promise<Map<string, MemberRow[]>> {
  const { rows } = await sql<MemberRow>`
    select conv_id, im_user_id, user_role, mute_until from consultation_im_member
     where conv_id = any(${[...new Set(convIds)]}::bigint[]) and left_at is null`.execute(db);
  return Map.groupBy(rows, ({ convId }) => convId);
}
