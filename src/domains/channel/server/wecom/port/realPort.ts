import {
  type Corp,
  type RemoteContact,
  type RemoteMember,
  type RemoteTag,
  type TransferState,
  type WecomPort,
  WecomError,
  type WelcomeAttachment,
  type WelcomeFile,
} from './port.ts';
import { days } from '#kernel/contract/time.ts';

/** WeChat Work keeps an uploaded file for three days; it is handed over anew a little earlier. */
const KEPT_MS = days(3) - 3_600_000;
const MOST_REMEMBERED = 5_000;

type Upload = (corp: Corp, kind: 'image' | 'file', form: FormData) => Promise<string>;

/** Hands files over to WeChat Work, each once while it is kept there. @returns its media id. */
function makeMedia(now: () => number, upload: Upload) {
  const known = new Map<string, { mediaId: string; until: number }>();
  return async (corp: Corp, kind: 'image' | 'file', file: WelcomeFile): Promise<string> => {
    const key = `${corp.id}/${kind}/${file.fileId}`;
    const kept = known.get(key);
    if (kept && kept.until > now()) return kept.mediaId;
    const { name, contentType, bytes } = await file.open();
    const form = new FormData();
    form.append('media', new Blob([new Uint8Array(bytes)], { type: contentType }), name);
    const mediaId = await upload(corp, kind, form);
    if (known.size >= MOST_REMEMBERED) known.delete(known.keys().next().value!);
    known.set(key, { mediaId, until: now() + KEPT_MS });
    return mediaId;
  };
}

/** An attachment in the words of `send_welcome_msg`. */
async function attachmentOf(
  attachment: WelcomeAttachment,
  mediaId: (kind: 'image' | 'file', file: WelcomeFile) => Promise<string>,
): Promise<object> {
  switch (attachment.type) {
    case 'link':
      return { msgtype: 'link', link: { title: attachment.title, url: attachment.url } };
    case 'image':
      return { msgtype: 'image', image: { media_id: await mediaId('image', attachment.file) } };
    case 'file':
      return { msgtype: 'file', file: { media_id: await mediaId('file', attachment.file) } };
    case 'mini':
      return {
        msgtype: 'miniprogram',
        miniprogram: {
          title: attachment.title,
          pic_media_id: await mediaId('image', attachment.cover),
          appid: attachment.appId,
          page: attachment.path,
        },
      };
  }
}

const BASE = 'https://qyapi.weixin.qq.com/cgi-bin';
const TIMEOUT_MS = 10_000;
/** A token is fetched anew this long before it ends. */
const TOKEN_MARGIN_MS = 300_000;

type Answer = { errcode: number; errmsg: string } & Record<string, unknown>;
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const texts = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
const list = (value: unknown) => (Array.isArray(value) ? (value as Record<string, unknown>[]) : []);
/** Their words for how a customer took a hand-over. */
const OUTCOMES: Readonly<Record<number, TransferState>> = { 1: 'DONE', 2: 'WAITING', 3: 'REFUSED', 4: 'LIMIT' };
const orNull = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** WeChat Work's own interface (https://developer.work.weixin.qq.com), with its access token cached per company. */
export function realWecom(now: () => number, request: Fetch = fetch): WecomPort {
  const tokens = new Map<string, { token: string; until: number }>();

  async function exchange(url: string, body: object | null): Promise<Answer> {
    const sent =
      body === null
        ? {}
        : body instanceof FormData
          ? { method: 'POST', body }
          : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await request(url, { signal: AbortSignal.timeout(TIMEOUT_MS), ...sent });
    const answer = (await response.json()) as Answer;
    if (answer.errcode) throw new WecomError(answer.errcode, answer.errmsg);
    return answer;
  }

  async function tokenOf(corp: Corp): Promise<string> {
    const known = tokens.get(corp.id);
    if (known && known.until > now()) return known.token;
    const query = new URLSearchParams({ corpid: corp.corpId, corpsecret: corp.contactSecret ?? '' });
    const answer = await exchange(`${BASE}/gettoken?${query.toString()}`, null);
    const token = String(answer['access_token']);
    tokens.set(corp.id, { token, until: now() + Number(answer['expires_in']) * 1000 - TOKEN_MARGIN_MS });
    return token;
  }

  /** A token that ended early is fetched once more. */
  async function ask(corp: Corp, path: string, body: object | null = null, query: Record<string, string> = {}): Promise<Answer> {
    const go = async () =>
      exchange(`${BASE}/${path}?${new URLSearchParams({ access_token: await tokenOf(corp), ...query }).toString()}`, body);
    try {
      return await go();
    } catch (error) {
      if (!(error instanceof WecomError) || ![40014, 42001].includes(error.errcode)) throw error;
      tokens.delete(corp.id);
      return go();
    }
  }

  const mediaId = makeMedia(now, async (corp, kind, form) => String((await ask(corp, 'media/upload', form, { type: kind }))['media_id']));

  const contactOf = (answer: Answer, wecomUserId: string): RemoteContact => {
    const person = answer['external_contact'] as Record<string, unknown>;
    const follows = answer['follow_user'];
    const follow = (Array.isArray(follows) ? follows : [answer['follow_info']]).find(
      (one: Record<string, unknown> | undefined) => !one?.['userid'] || one['userid'] === wecomUserId,
    ) as Record<string, unknown> | undefined;
    return {
      externalUserId: String(person['external_userid']),
      nickName: orNull(person['name']) ?? '',
      avatar: orNull(person['avatar']),
      unionId: orNull(person['unionid']),
      addedAt: new Date(Number(follow?.['createtime'] ?? 0) * 1000).toISOString(),
      wayKey: orNull(follow?.['state']),
      // One contact is answered with the tags themselves, a page of them with their ids.
      tagIds: [...list(follow?.['tags']).map((tag) => String(tag['tag_id'])), ...texts(follow?.['tag_id'])],
    };
  };

  return {
    async test(corp) {
      tokens.delete(corp.id);
      await ask(corp, 'externalcontact/get_follow_user_list');
    },
    async members(corp) {
      const able = new Set(texts((await ask(corp, 'externalcontact/get_follow_user_list'))['follow_user']));
      const departments = new Map(
        ((await ask(corp, 'department/list'))['department'] as { id: number; name: string }[]).map(({ id, name }) => [id, name]),
      );
      const found = (await ask(corp, 'user/list', null, { department_id: '1', fetch_child: '1' }))['userlist'] as Record<string, unknown>[];
      return found.map((user): RemoteMember => ({
        wecomUserId: String(user['userid']),
        name: String(user['name']),
        avatar: orNull(user['avatar']),
        mobile: orNull(user['mobile']),
        departmentNames: (Array.isArray(user['department']) ? user['department'] : []).flatMap((id: number) => departments.get(id) ?? []),
        status: ([1, 2, 4, 5] as const).find((status) => status === user['status']) ?? 4,
        canContact: able.has(String(user['userid'])),
      }));
    },
    async contacts(corp, wecomUserId) {
      const all: RemoteContact[] = [];
      for (let cursor = ''; ;) {
        const answer = await ask(corp, 'externalcontact/batch/get_by_user', { userid_list: [wecomUserId], cursor, limit: 100 });
        all.push(...((answer['external_contact_list'] ?? []) as Answer[]).map((one) => contactOf(one, wecomUserId)));
        cursor = orNull(answer['next_cursor']) ?? '';
        if (cursor === '') return all;
      }
    },
    contact: async (corp, externalUserId, wecomUserId) =>
      contactOf(await ask(corp, 'externalcontact/get', null, { external_userid: externalUserId }), wecomUserId),
    async addContactWay(corp, way) {
      const answer = await ask(corp, 'externalcontact/add_contact_way', {
        type: 1,
        scene: 2,
        skip_verify: way.skipVerify,
        state: way.state,
        user: [way.wecomUserId],
      });
      return { configId: String(answer['config_id']), qrUrl: String(answer['qr_code']) };
    },
    async changeContactWay(corp, configId, way) {
      await ask(corp, 'externalcontact/update_contact_way', {
        config_id: configId,
        skip_verify: way.skipVerify,
        state: way.state,
        user: [way.wecomUserId],
      });
    },
    removeContactWay: async (corp, configId) => void (await ask(corp, 'externalcontact/del_contact_way', { config_id: configId })),
    async sendWelcome(corp, welcomeCode, { text, attachments }) {
      const sent = await Promise.all(attachments.map((attachment) => attachmentOf(attachment, (kind, file) => mediaId(corp, kind, file))));
      await ask(corp, 'externalcontact/send_welcome_msg', {
        welcome_code: welcomeCode,
        ...(text !== '' && { text: { content: text } }),
        attachments: sent,
      });
    },
    async tags(corp) {
      const groups = list((await ask(corp, 'externalcontact/get_corp_tag_list', {}))['tag_group']);
      return groups.flatMap((group) =>
        list(group['tag']).map((tag): RemoteTag => ({
          tagId: String(tag['id']),
          name: String(tag['name']),
          groupName: String(group['group_name']),
        })),
      );
    },
    async markTags(corp, { wecomUserId, externalUserId, tagIds }) {
      await ask(corp, 'externalcontact/mark_tag', { userid: wecomUserId, external_userid: externalUserId, add_tag: tagIds });
    },
    async transfer(corp, { from, to, externalUserIds, left }) {
      const answer = await ask(corp, left ? 'externalcontact/resigned/transfer_customer' : 'externalcontact/transfer_customer', {
        handover_userid: from,
        takeover_userid: to,
        external_userid: externalUserIds,
      });
      return new Map(
        (answer['customer'] as { external_userid: string; errcode: number }[]).map((one) => [one.external_userid, one.errcode]),
      );
    },
    async transferResults(corp, { from, to, left }) {
      const outcomes = new Map<string, TransferState>();
      for (let cursor = ''; ;) {
        const answer = await ask(corp, left ? 'externalcontact/resigned/transfer_result' : 'externalcontact/transfer_result', {
          handover_userid: from,
          takeover_userid: to,
          cursor,
        });
        for (const one of list(answer['customer'])) {
          const state = OUTCOMES[Number(one['status'])];
          if (state) outcomes.set(String(one['external_userid']), state);
        }
        cursor = orNull(answer['next_cursor']) ?? '';
        if (cursor === '') return outcomes;
      }
    },
  };
}
