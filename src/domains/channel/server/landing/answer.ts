import { firstCharacters } from '#kernel/contract/plainText.ts';
import type { LandingCode } from './code.ts';
import { page, refusals } from './pages.ts';
import type { LiveChoice } from './record.ts';
import type { Visit } from './visit.ts';

export interface LandingAnswer {
  status: number;
  html?: string;
  location?: string;
}

/** The stored address with the code's parameters and the proof of the scan. */
export function addressOf(code: Pick<LandingCode, 'target' | 'params'>, scanToken: string | null): string | null {
  if (code.target.url === null || !URL.canParse(code.target.url)) return null;
  const url = new URL(code.target.url);
  for (const [name, value] of Object.entries(code.params)) url.searchParams.set(name, value);
  if (scanToken !== null) url.searchParams.set('st', scanToken);
  return url.href;
}

const enter = (href: string | null) => (href === null ? { lines: ['请在康桥小程序中继续'] } : { button: { label: '进入', href } });

/** What a good code shows. Only the stored target is ever gone to. */
export function answerOf(code: LandingCode, visit: Visit, scanToken: string | null, live: LiveChoice | null): LandingAnswer {
  const { target } = code;
  const href = addressOf(code, scanToken);
  const card = (title: string, lines: readonly string[], mark: string): LandingAnswer => {
    const { lines: hint = [], ...rest } = enter(href);
    return { status: 200, html: page({ title, lines: [...lines, ...hint], mark, ...rest }) };
  };
  if (code.kind === 'SCENE') {
    if (code.sceneUsable !== true) return href === null ? refusals.ENDED : { status: 302, location: href };
    const doctor = code.doctorId !== null && code.doctorUsable === true ? `${code.doctorName ?? ''}医生为您服务` : '由导诊台为您安排医生';
    return card(code.sceneName ?? '健康咨询', [doctor], '诊');
  }
  switch (target.type) {
    case 'H5':
      return href === null ? refusals.ENDED : { status: 302, location: href };
    case 'MINI': {
      const query = new URLSearchParams({ ...code.params, ...(scanToken === null ? {} : { st: scanToken }) }).toString();
      const launch = `weixin://dl/business/?appid=${target.appId ?? ''}&path=${encodeURIComponent(target.path ?? '')}&query=${encodeURIComponent(query)}&env_version=${target.env ?? 'release'}`;
      return {
        status: 200,
        html:
          visit.client === 'WECHAT'
            ? page({ title: '即将打开小程序', mark: '微', button: { label: '打开小程序', href: launch } })
            : page({ title: '请使用微信扫码', lines: ['请打开微信，使用“扫一扫”扫描二维码'], mark: '微' }),
      };
    }
    case 'LIVE':
      if (live?.qrUrl) {
        const local = live.qrUrl.startsWith('data:') && live.liveMemberId !== null && scanToken !== null;
        return {
          status: 200,
          html: page({
            title: live.memberName ?? '添加企业微信',
            lines: ['长按识别二维码，添加企业微信好友'],
            picture: live.qrUrl,
            ...(local && { form: { label: '添加', action: `/q/${code.token}/add/${scanToken}` } }),
          }),
        };
      }
      return {
        status: 200,
        html: page({ title: '暂时无法接待', lines: [live?.offHoursText || '当前不在服务时间，请稍后再次扫码'], mark: '休' }),
      };
    case 'DOCTOR':
      if (code.doctorUsable !== true) return card('医生暂停接诊', ['您可以联系导诊台，由工作人员为您安排'], '诊');
      return card(`${code.doctorName ?? ''}医生`, ['在线咨询与复诊'], firstCharacters(code.doctorName ?? '医', 1));
    case 'SCENE':
      return code.sceneUsable === true ? card(code.sceneName ?? '健康咨询', ['专科医生在线咨询'], '诊') : refusals.ENDED;
    case 'DOCTOR_REGISTER':
      return card('医生注册', ['欢迎加入康桥，开通在线诊疗服务'], '医');
    case 'PRODUCT':
      return card(code.name, ['健康服务产品'], '康');
    case 'DESK':
      return card('导诊台', ['专业导诊人员为您服务'], '导');
  }
}
