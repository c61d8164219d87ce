/** WeChat Work's interface as far as the product uses it, behind `fetch`. */
export interface Weixin {
  /** `externalcontact/mark_tag {"userid":…}` in order; uploads as `media/upload image logo.png`. */
  asked: { path: string; body: Record<string, unknown> }[];
  /** Answers of paths beside or instead of the usual ones. */
  answers: Record<string, object | (() => object | Promise<object>)>;
  of(path: string): Record<string, unknown>[];
  fetch: typeof fetch;
}

const BASE = 'https://qyapi.weixin.qq.com/cgi-bin/';

export function makeWeixin(): Weixin {
  const asked: Weixin['asked'] = [];
  const answers: Weixin['answers'] = {
    gettoken: { access_token: 'token', expires_in: 7_200 },
    'externalcontact/get_follow_user_list': { follow_user: ['lisi', 'wangwu'] },
    'department/list': { department: [{ id: 1, name: '医助一组' }] },
    'user/list': {
      userlist: [
        { userid: 'lisi', name: '李思', department: [1], status: 1 },
        { userid: 'wangwu', name: '王武', department: [1], status: 1 },
      ],
    },
    'externalcontact/add_contact_way': () => ({ config_id: `cfg${asked.length}`, qr_code: 'https://wework.qpic.cn/way' }),
    'externalcontact/get': {
      external_contact: { external_userid: 'wm1', name: '张建国', unionid: 'union-1' },
      follow_user: [{ userid: 'lisi', createtime: Date.parse('2026-11-21T02:00:00Z') / 1000 }],
    },
    'externalcontact/get_corp_tag_list': {
      tag_group: [
        {
          group_name: '来源',
          tag: [
            { id: 'etA', name: '门诊' },
            { id: 'etB', name: '药店' },
          ],
        },
      ],
    },
    // Attachments are handed over at once: what a file is called tells which it was.
    'media/upload': () => ({ media_id: `media:${String(asked.at(-1)?.body['name'])}` }),
  };
  return {
    asked,
    answers,
    of: (path) => asked.filter((one) => one.path === path).map(({ body }) => body),
    async fetch(input, init) {
      const url = new URL(input instanceof Request ? input.url : input);
      if (!url.href.startsWith(BASE)) throw new Error(`nobody answers ${url.href}`);
      const path = url.href.slice(BASE.length).split('?')[0]!;
      const sent = init?.body;
      const media = sent instanceof FormData ? sent.get('media') : null;
      const file = media instanceof File ? media : null;
      asked.push({
        path,
        body: file
          ? { type: url.searchParams.get('type'), name: file.name, size: file.size }
          : typeof sent === 'string'
            ? (JSON.parse(sent) as Record<string, unknown>)
            : {},
      });
      const answer = answers[path] ?? {};
      return Response.json({ errcode: 0, errmsg: 'ok', ...(typeof answer === 'function' ? await answer() : answer) });
    },
  };
}
