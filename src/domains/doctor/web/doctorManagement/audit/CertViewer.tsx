import { Button } from 'antd';
import { useState } from 'react';
import { useCaseState } from '#kernel/web/audit/caseState.ts';
import { FileStage } from '#kernel/web/files/FileStage.tsx';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { certTypes } from '../../../contract/dictionaries.ts';
import type { QualDetail } from '../../../contract/calls/qual.ts';

const STEP = 1.25;
const WHOLE = { scale: 1, turn: 0 };
const LIMITS = { min: 0.5, max: 6 };
const OWNER = 'doctor.qualApply';
const PORTRAIT = { ownerType: 'doctor.doctor', label: '头像' };

interface CertViewerProps {
  apply: QualDetail;
  /** Index of the certificate that is shown. */
  at: number;
  onChoose(at: number): void;
}

/** Pictures of one certificate: zoom, turn, pages, and beside it the one that it replaces. */
export function CertViewer({ apply, at, onChoose }: CertViewerProps) {
  const [portrait, setPortrait] = useCaseState(apply.id, false);
  const shown = `${apply.id}:${portrait ? 'portrait' : at}`;
  const [view, setView] = useCaseState(shown, WHOLE);
  const [fileAt, setFileAt] = useCaseState(shown, 0);
  const [page, setPage] = useCaseState(shown, 1);
  const [pages, setPages] = useCaseState(`${shown}:${fileAt}`, 1);
  const [beside, setBeside] = useState(false);
  const cert = portrait ? undefined : apply.certs[at];
  const former = cert?.former ?? null;
  const canCompare = former !== null && former.fileIds.length > 0;
  // A certificate that came without an application stands at the doctor himself.
  const formerOwner = former?.qualApplyId
    ? { ownerType: OWNER, ownerId: former.qualApplyId }
    : { ownerType: 'doctor.cert', ownerId: apply.doctorId };
  const choose = (index: number) => {
    setPortrait(false);
    onChoose(index);
  };
  const zoom = (by: number) => setView((now) => ({ ...now, scale: Math.min(LIMITS.max, Math.max(LIMITS.min, now.scale * by)) }));
  const rotate = () => setView((now) => ({ ...now, turn: (now.turn + 90) % 360 }));
  /** Next picture of the certificate, else its next page. */
  const step = (by: 1 | -1) => {
    if (page + by >= 1 && page + by <= pages) return setPage(page + by);
    const next = fileAt + by;
    if (!cert || next < 0 || next >= cert.fileIds.length) return;
    setFileAt(next);
    setPage(1);
  };
  useKeys([
    ...apply.certs
      .slice(0, 9)
      .map((one, index) => ({ keys: String(index + 1), label: certTypes.label(one.certType), act: () => choose(index) })),
    ...(apply.avatarFileId ? [{ keys: 'H', label: PORTRAIT.label, act: () => setPortrait(true) }] : []),
    { keys: '+', label: '放大', act: () => zoom(STEP) },
    { keys: '=', label: '放大', act: () => zoom(STEP) },
    { keys: '-', label: '缩小', act: () => zoom(1 / STEP) },
    { keys: '0', label: '适合宽度', act: () => setView(WHOLE) },
    { keys: 'T', label: '旋转', act: rotate },
    { keys: 'C', label: '与原证件对比', act: () => setBeside((now) => canCompare && !now) },
    { keys: 'ArrowRight', label: '下一张', act: () => step(1) },
    { keys: 'ArrowLeft', label: '上一张', act: () => step(-1) },
  ]);
  const fileId = cert?.fileIds[Math.min(fileAt, cert.fileIds.length - 1)];
  return (
    <div className="dq-viewer">
      <div className="dq-certs" role="tablist" aria-label="证件">
        {apply.certs.map((one, index) => (
          <button key={one.id} type="button" role="tab" aria-selected={!portrait && index === at} onClick={() => choose(index)}>
            <kbd>{index + 1}</kbd> {certTypes.label(one.certType)}
          </button>
        ))}
        {apply.avatarFileId && (
          <button type="button" role="tab" aria-selected={portrait} onClick={() => setPortrait(true)}>
            <kbd>H</kbd> {PORTRAIT.label}
          </button>
        )}
      </div>
      {portrait && apply.avatarFileId ? (
        <div className="dq-stages">
          <figure>
            <FileStage
              fileId={apply.avatarFileId}
              label={PORTRAIT.label}
              page={1}
              {...view}
              ownerType={PORTRAIT.ownerType}
              ownerId={apply.doctorId}
            />
          </figure>
        </div>
      ) : cert && fileId ? (
        <>
          <div className={beside && canCompare ? 'dq-stages dq-stages-two' : 'dq-stages'}>
            <figure>
              <FileStage
                key={`${fileId}:${page}`}
                fileId={fileId}
                label={certTypes.label(cert.certType)}
                page={page}
                {...view}
                ownerType={OWNER}
                ownerId={apply.id}
                onPages={setPages}
              />
            </figure>
            {beside && canCompare && (
              <figure>
                <figcaption>原证件{former.validTo ? `（至${former.validTo}）` : ''}</figcaption>
                <FileStage key={former.fileIds[0]} fileId={former.fileIds[0]!} label="原证件" page={1} {...view} {...formerOwner} />
              </figure>
            )}
          </div>
          <div className="dq-tools">
            <Button size="small" onClick={() => zoom(1 / STEP)} aria-label="缩小" title="缩小（-）">
              －
            </Button>
            <Button size="small" onClick={() => zoom(STEP)} aria-label="放大" title="放大（+）">
              ＋
            </Button>
            <Button size="small" onClick={() => setView(WHOLE)} title="适合宽度（0）">
              适合
            </Button>
            <Button size="small" onClick={rotate} title="旋转（T）">
              旋转
            </Button>
            <Button
              size="small"
              disabled={!canCompare}
              type={beside && canCompare ? 'primary' : 'default'}
              onClick={() => setBeside(!beside)}
              title={canCompare ? '与原证件对比（C）' : '没有原证件'}
            >
              对比
            </Button>
            <span className="kq-number kq-muted">
              {fileAt + 1}/{cert.fileIds.length}
              {pages > 1 && `　第${page}/${pages}页`}
            </span>
            <Button size="small" onClick={() => step(-1)} disabled={fileAt === 0 && page === 1} title="上一张（←）">
              上一张
            </Button>
            <Button size="small" onClick={() => step(1)} disabled={fileAt >= cert.fileIds.length - 1 && page >= pages} title="下一张（→）">
              下一张
            </Button>
          </div>
        </>
      ) : (
        <p className="kq-muted dq-none">{apply.certs.length === 0 ? '还没有提交证件' : '没有图片'}</p>
      )}
    </div>
  );
}
