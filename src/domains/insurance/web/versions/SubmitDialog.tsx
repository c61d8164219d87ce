import { lazy, Suspense } from 'react';
import { auditProductVersion, type VersionBrief } from '../../contract/products/calls.ts';
import { SubmitVersion } from '../shared/VersionDialogs.tsx';
import { versionReads } from './useVersionCommand.ts';

const VersionDiff = lazy(async () => ({ default: (await import('./VersionDiff.tsx')).VersionDiff }));

interface Props {
  head: Pick<VersionBrief, 'id' | 'version' | 'versionNo'>;
  before: string | undefined;
  onClose(): void;
  onDone(): void;
}

/** Hands a version of a product in, over its differences from the one before. */
export function SubmitDialog({ head, before, onClose, onDone }: Props) {
  return (
    <SubmitVersion call={auditProductVersion} version={head} refreshes={versionReads} onClose={onClose} onDone={onDone}>
      {before && (
        <>
          <p className="ins-sub">与上一版的差异</p>
          <Suspense fallback={null}>
            <VersionDiff fromId={before} toId={head.id} />
          </Suspense>
        </>
      )}
    </SubmitVersion>
  );
}
