import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { OutputOf } from '#kernel/contract/call.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { seesRegion } from '#kernel/server/auth/scope.ts';
import { machineOf } from '#kernel/server/auth/viewer.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { stranger, type PageViewer } from '../../contract/delivery/audience.ts';
import { queryPageContent, queryViewerContent } from '../../contract/delivery/calls.ts';
import { clientTypeOf, pageCodes, type PageCode } from '../../contract/floors/clientPages.ts';
import { imageUrl } from '../delivery/files.ts';
import { resolveFor } from '../releases/resolve.ts';
import { snapshotOf } from '../releases/snapshots.ts';
import { defaultPictureUrl } from './defaultPictures.ts';
import { placesFor, type Placed } from './places.ts';
import { signTrack, viewerKeyOf } from './tracks.ts';
import { viewerOf } from './viewer.ts';

type Content = OutputOf<typeof queryPageContent>;
type Item = Content['positions'][number]['items'][number];

function pageOf(asked: string): PageCode {
  const pageCode = pageCodes.codes.find((code) => code === asked);
  if (pageCode === undefined) throw refuse(platformErrors.NOT_FOUND);
  return pageCode;
}

interface Looking {
  viewer: PageViewer;
  viewerKey: string;
  now: Instant;
}

const provinceOf = (adcode: string | null) => (adcode === null ? '' : `${adcode.slice(0, 2)}0000`);

const itemOf = (kernel: Kernel, row: Placed, { viewer, viewerKey, now }: Looking): Item => ({
  trackId: signTrack(kernel, { deliveryId: row.id, viewer: viewerKey, region: provinceOf(viewer.adcode), at: now }),
  contentNo: row.deliveryNo,
  name: row.name,
  altText: row.altText,
  imageUrl: imageUrl(kernel, row.imageFileId, now) ?? '',
  linkType: row.linkType,
  linkValue: row.linkValue,
  linkParams: row.linkParams,
  linkObjectId: row.linkObjectId,
  isAd: row.kind === 'AD',
  sponsorName: row.sponsorName ?? '',
  disclaimer: row.disclaimer ?? '',
  closable: row.closable ?? false,
  showSeconds: row.showSeconds,
});

/** Read anew for every request: what is approved, taken down or released shows at once on every node. */
async function contentFor(kernel: Kernel, db: Db, pageCode: PageCode, looking: Looking): Promise<Content> {
  const { viewer, viewerKey, now } = looking;
  const live = await snapshotOf(db, pageCode, 'LIVE');
  const floors = await resolveFor(kernel, db, live?.floors ?? [], { pageCode, viewer, at: now, now });
  const places = await placesFor(kernel, db, pageCode, { viewer, viewerKey, at: now, now });
  const positions = places.map(({ position, chosen }) => ({
    positionCode: position.positionCode,
    kind: position.kind,
    rotateSeconds: position.rotateSeconds,
    items: chosen.filter(({ reason }) => reason === null).map(({ item }) => itemOf(kernel, item, looking)),
    defaultImageUrl: defaultPictureUrl(position),
  }));
  const empty = new Set(
    positions.filter(({ items, defaultImageUrl }) => items.length === 0 && defaultImageUrl === '').map(({ positionCode }) => positionCode),
  );
  return {
    pageCode,
    seq: live?.seq ?? 0,
    floors: floors
      .filter(
        ({ reason, positionCode, hideWhenEmpty }) =>
          reason === null && !(hideWhenEmpty && positionCode !== null && empty.has(positionCode)),
      )
      .map(({ floorKey, floorType, title, showTitle, layout, moreLink, positionCode, items }) => ({
        floorKey,
        floorType,
        title: showTitle ? title : '',
        layout,
        moreLink,
        positionCode,
        items: items
          .filter(({ reason }) => reason === null)
          .map((item) => ({
            title: item.title,
            link: item.link,
            objectId: item.objectId,
            objectNo: item.objectNo,
            objectName: item.objectName ?? '',
            imageUrl: item.imageUrl ?? '',
          })),
      })),
    positions,
  };
}

export const pageContent = (kernel: Kernel) => [
  query(queryPageContent, async ({ pageCode: asked, adcode, clientVersion, deviceId }, { db, now, ip }) => {
    const viewer = { ...stranger, adcode: adcode ?? null, clientVersion: clientVersion ?? null };
    // Who says nothing of his installation is counted by his address.
    const viewerKey = viewerKeyOf(kernel, deviceId ? `device:${deviceId}` : `ip:${ip}`);
    return contentFor(kernel, db, pageOf(asked), { viewer, viewerKey, now });
  }),
  query(queryViewerContent, async ({ pageCode: asked, adcode, clientVersion, viewerId }, ctx) => {
    const { db, now } = ctx;
    const pageCode = pageOf(asked);
    const { scope } = machineOf(ctx);
    if (scope.region !== null && (adcode === undefined || !seesRegion(scope, adcode)))
      throw refuse(platformErrors.NOT_FOUND, { message: '用户所在地区不在调用方的数据范围内' });
    const clientType = clientTypeOf(pageCode);
    const known = await viewerOf(kernel, db, clientType, viewerId, now);
    const viewer = { ...known, adcode: adcode ?? null, clientVersion: clientVersion ?? null };
    return contentFor(kernel, db, pageCode, { viewer, viewerKey: viewerKeyOf(kernel, `${clientType}:${viewerId}`), now });
  }),
];
