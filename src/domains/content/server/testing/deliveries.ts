import { createCanvas } from '@napi-rs/canvas';
import type { InputOf } from '#kernel/contract/call.ts';
import { days, plusMs } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadFile, uploadPaper } from '#testing/uploads.ts';
import { addAdvertise, auditAdvertise } from '../../contract/adverts/calls.ts';
import { addBanner, auditBanner } from '../../contract/banners/calls.ts';
import { APPROVAL_FILE, CONTENT_IMAGE } from '../../contract/delivery/files.ts';
import { positionOf, type PositionCode } from '../../contract/delivery/positions.ts';

export const maker = (app: TestApp): Promise<TestStaff> =>
  app.staff({ permissions: ['content.content.view', 'content.banner.edit', 'content.ad.edit'] });
export const judge = (app: TestApp): Promise<TestStaff> =>
  app.staff({ permissions: ['content.content.view', 'content.banner.audit', 'content.ad.audit', 'content.stat.view'] });

let pictures = 0;
/** A picture of the size of a place, or of another one; no two are alike. */
export function picture(app: TestApp, as: TestStaff, place: PositionCode, size?: readonly [number, number]): Promise<string> {
  const { widthPx, heightPx } = positionOf(place);
  const [width, height] = size ?? [widthPx, heightPx];
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext('2d');
  pictures += 1;
  pen.fillStyle = `rgb(${pictures % 256}, ${Math.floor(pictures / 256)}, 90)`;
  pen.fillRect(0, 0, width, height);
  return uploadFile(app, as, CONTENT_IMAGE, {
    fileName: `图${pictures}.png`,
    contentType: 'image/png',
    bytes: canvas.toBuffer('image/png'),
  });
}

type BannerInput = InputOf<typeof addBanner>;
export async function bannerInput(app: TestApp, as: TestStaff, more: Partial<BannerInput> = {}): Promise<BannerInput> {
  const positionCode = more.positionCode ?? 'MP_HOME_BANNER';
  return {
    bannerName: '国庆用药关怀',
    positionCode,
    imageFileId: more.imageFileId === undefined ? await picture(app, as, positionCode) : null,
    startAt: plusMs(app.clock.now(), -days(1)),
    endAt: plusMs(app.clock.now(), days(20)),
    ...more,
  };
}
export async function makeBanner(app: TestApp, more: Partial<BannerInput> = {}) {
  const as = await maker(app);
  return { as, ...(await app.ok(addBanner, await bannerInput(app, as, more), { as })) };
}
/** One that another person passed. */
export async function liveBanner(app: TestApp, more: Partial<BannerInput> = {}) {
  const { as, id, version } = await makeBanner(app, more);
  const submitted = await app.ok(auditBanner, { id, version, action: 'submit' }, { as });
  const passed = await app.ok(auditBanner, { id, version: submitted.version, action: 'approve' }, { as: await judge(app) });
  return { as, id, version: passed.version };
}

type AdInput = InputOf<typeof addAdvertise>;
export async function adInput(app: TestApp, as: TestStaff, more: Partial<AdInput> = {}): Promise<AdInput> {
  const positionCode = more.positionCode ?? 'MP_HOME_FEED';
  return {
    adName: '品牌展示',
    sponsorType: 'OTHER',
    sponsorName: '测试广告主',
    adClass: 'BRAND',
    positionCode,
    imageFileId: await picture(app, as, positionCode),
    startAt: plusMs(app.clock.now(), -days(1)),
    endAt: plusMs(app.clock.now(), days(20)),
    capPerPersonDay: 20,
    ...more,
  };
}
export const approvalOf = async (app: TestApp, as: TestStaff, approvalUntil: string) => ({
  approvalNo: '国药广审（文）第250101-00001号',
  approvalUntil,
  approvalFileId: await uploadPaper(app, as, APPROVAL_FILE),
});
export async function makeAd(app: TestApp, more: Partial<AdInput> = {}, as: TestStaff | null = null) {
  return addAd(app, as ?? (await maker(app)), more);
}
async function addAd(app: TestApp, as: TestStaff, more: Partial<AdInput>) {
  return { as, ...(await app.ok(addAdvertise, await adInput(app, as, more), { as })) };
}
export const allYes = { AD_WORD: 'YES', APPROVAL_SAME: 'YES', NO_ABSOLUTE: 'YES', NO_PATIENT: 'YES', LANDING_SAME: 'YES' } as const;
export async function liveAd(app: TestApp, more: Partial<AdInput> = {}) {
  const { as, id, version } = await makeAd(app, more);
  const submitted = await app.ok(auditAdvertise, { id, version, action: 'submit' }, { as });
  const pass = { id, version: submitted.version, action: 'approve', checks: allYes } as const;
  return { as, id, version: (await app.ok(auditAdvertise, pass, { as: await judge(app) })).version };
}
