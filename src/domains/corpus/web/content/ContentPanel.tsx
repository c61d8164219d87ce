import { useMay } from '#kernel/web/session/store.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import type { AnyScene } from '../data.ts';
import { CyclePanel } from './CyclePanel.tsx';
import { ScheduleAxis } from './ScheduleAxis.tsx';

/** 语料内容: when the scene sends. */
export function ContentPanel({ scene, onDirty }: { scene: AnyScene; onDirty(dirty: boolean): void }) {
  const readOnly = !useMay()(corpusPermissions['scene.edit']);
  return (
    <div className="kq-content">
      <ScheduleAxis scene={scene} readOnly={readOnly} />
      <CyclePanel scene={scene} readOnly={readOnly} onDirty={onDirty} />
    </div>
  );
}
