import { FileStage } from '#kernel/web/files/FileStage.tsx';
import { positionOf, type PositionCode } from '../../contract/delivery/positions.ts';
import { pageCodes } from '../../contract/floors/clientPages.ts';

interface PhoneFrameProps {
  positionCode: PositionCode | undefined;
  fileId: string | null | undefined;
  altText: string | undefined;
  /** Record that the picture belongs to already. */
  owner?: { ownerType: string; ownerId: string } | undefined;
  /** Written on the picture of an advertisement. */
  ad?: { sponsorName: string; disclaimer: string } | undefined;
}

/** The page of the client with the picture in its place. */
export function PhoneFrame({ positionCode, fileId, altText, owner, ad }: PhoneFrameProps) {
  if (!positionCode) return <div className="dl-phone kq-muted">选择位置后显示预览</div>;
  const { pageCode, kind, widthPx, heightPx } = positionOf(positionCode);
  return (
    <div className="dl-phone" data-kind={kind} aria-label="手机预览">
      <div className="dl-phone-bar">{pageCodes.label(pageCode)}</div>
      {kind !== 'SPLASH' && <div className="dl-phone-block" />}
      <figure className="dl-phone-place" style={{ aspectRatio: `${widthPx} / ${heightPx}` }}>
        {fileId ? (
          <FileStage key={fileId} fileId={fileId} label={altText || '投放图片'} page={1} scale={1} turn={0} {...owner} />
        ) : (
          <span className="kq-muted">
            {widthPx}×{heightPx}
          </span>
        )}
        {ad && (
          <figcaption>
            <span>广告</span> {ad.sponsorName} {ad.disclaimer}
          </figcaption>
        )}
      </figure>
      {kind !== 'SPLASH' && (
        <>
          <div className="dl-phone-block" />
          <div className="dl-phone-block" data-tall="true" />
        </>
      )}
    </div>
  );
}
