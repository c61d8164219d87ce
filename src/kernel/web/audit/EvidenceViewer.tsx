import { Button } from 'antd';
import { useState } from 'react';
import { FileStage } from '../files/FileStage.tsx';
import { useKeys } from '../keyboard/keys.ts';
import { useCaseState } from './caseState.ts';
import { type Evidence, evidenceKeys, type EvidenceViewerProps } from './evidence.ts';
import { useStageView } from './stageView.ts';
import './evidence.css';

/** Materials of a case: zoom, turn, pages, what each replaces beside it, and what the reviewer says of it. */
export function EvidenceViewer<Code extends string = string>(props: EvidenceViewerProps<Code>) {
  const { caseId, name, items, at, onChoose, aside = null, verdicts, values } = props;
  const [isAside, setAside] = useCaseState(caseId, false);
  const shown = `${caseId}:${isAside ? 'aside' : at}`;
  const stage = useStageView(shown);
  const [fileAt, setFileAt] = useCaseState(shown, 0);
  const [page, setPage] = useCaseState(shown, 1);
  const [pages, setPages] = useCaseState(`${shown}:${fileAt}`, 1);
  const [beside, setBeside] = useState(false);
  const item = isAside ? undefined : items[at];
  const former = item?.former ?? null;
  const canCompare = former !== null && former.fileIds.length > 0;
  const compares = beside && canCompare;
  const choose = (index: number) => {
    setAside(false);
    onChoose(index);
  };
  /** Next picture of the material, else its next page. */
  const step = (by: 1 | -1) => {
    if (page + by >= 1 && page + by <= pages) return setPage(page + by);
    const next = fileAt + by;
    if (!item || next < 0 || next >= item.fileIds.length) return;
    setFileAt(next);
    setPage(1);
  };
  const toggle = () => setBeside((now) => canCompare && !now);
  useKeys(evidenceKeys(props, { ...stage, choose, showAside: () => setAside(true), compare: toggle, step }));
  const fileId = item?.fileIds[Math.min(fileAt, item.fileIds.length - 1)];
  const verdictOf = ({ id }: Evidence) => verdicts?.given[id] ?? null;
  return (
    <div className="kq-evidence">
      <div className="kq-evidence-tabs" role="tablist" aria-label={name}>
        {items.map((one, index) => {
          const verdict = verdictOf(one);
          return (
            <button key={one.id} type="button" role="tab" aria-selected={!isAside && index === at} onClick={() => choose(index)}>
              <kbd>{index + 1}</kbd> {one.label}
              {verdicts && verdict !== null && (
                <i className="kq-evidence-dot" data-tone={verdicts.of.tone(verdict)} title={verdicts.of.label(verdict)} />
              )}
            </button>
          );
        })}
        {aside && (
          <button type="button" role="tab" aria-selected={isAside} onClick={() => setAside(true)}>
            <kbd>{aside.keys}</kbd> {aside.label}
          </button>
        )}
      </div>
      {isAside && aside?.fileIds[0] ? (
        <div className="kq-evidence-stages">
          <figure>
            <FileStage
              fileId={aside.fileIds[0]}
              label={aside.label}
              page={1}
              {...stage.view}
              ownerType={aside.ownerType}
              ownerId={aside.ownerId}
            />
          </figure>
        </div>
      ) : item && fileId ? (
        <>
          <div className={compares ? 'kq-evidence-stages kq-evidence-two' : 'kq-evidence-stages'}>
            <figure>
              <FileStage
                key={`${fileId}:${page}`}
                fileId={fileId}
                label={item.label}
                page={page}
                {...stage.view}
                ownerType={item.ownerType}
                ownerId={item.ownerId}
                onPages={setPages}
              />
            </figure>
            {compares && (
              <figure>
                <figcaption>{former.label}</figcaption>
                <FileStage
                  key={former.fileIds[0]}
                  fileId={former.fileIds[0]!}
                  label={`原${name}`}
                  page={1}
                  {...stage.view}
                  ownerType={former.ownerType}
                  ownerId={former.ownerId}
                />
              </figure>
            )}
            {values && <div className="kq-evidence-values">{values(item)}</div>}
          </div>
          <div className="kq-evidence-tools">
            <Button size="small" onClick={stage.smaller} aria-label="缩小" title="缩小（-）">
              －
            </Button>
            <Button size="small" onClick={stage.larger} aria-label="放大" title="放大（+）">
              ＋
            </Button>
            <Button size="small" onClick={stage.whole} title="适合宽度（0）">
              适合
            </Button>
            <Button size="small" onClick={stage.rotate} title="旋转（T）">
              旋转
            </Button>
            <Button
              size="small"
              disabled={!canCompare}
              type={compares ? 'primary' : 'default'}
              onClick={toggle}
              title={canCompare ? `与原${name}对比（C）` : `没有原${name}`}
            >
              对比
            </Button>
            <span className="kq-number kq-muted">
              {fileAt + 1}/{item.fileIds.length}
              {pages > 1 && `　第${page}/${pages}页`}
            </span>
            <Button size="small" onClick={() => step(-1)} disabled={fileAt === 0 && page === 1} title="上一张（←）">
              上一张
            </Button>
            <Button size="small" onClick={() => step(1)} disabled={fileAt >= item.fileIds.length - 1 && page >= pages} title="下一张（→）">
              下一张
            </Button>
          </div>
          {verdicts?.judge && (
            <div className="kq-evidence-verdicts" role="group" aria-label={`${item.label}审核结论`}>
              {verdicts.of.codes.map((code) => (
                <Button
                  key={code}
                  size="small"
                  aria-pressed={verdictOf(item) === code}
                  type={verdictOf(item) === code ? 'primary' : 'default'}
                  onClick={() => verdicts.judge?.(item.id, code)}
                  title={`${verdicts.of.label(code)}（${verdicts.keys[code]}）`}
                >
                  {verdicts.of.label(code)}
                </Button>
              ))}
            </div>
          )}
        </>
      ) : (
        <p className="kq-muted kq-evidence-none">{items.length === 0 ? `还没有提交${name}` : '没有图片'}</p>
      )}
    </div>
  );
}
