import { Select } from 'antd';
import { useState } from 'react';
import { documentPhases } from '../../contract/documents/states.ts';
import { VersionDiff } from '../versions/VersionDiff.tsx';
import type { ClaimRulesSeen } from './seen.ts';

/** Two versions of the product side by side. */
export function VersionPairs({ seen }: { seen: ClaimRulesSeen }) {
  const older =
    seen.versions.find(({ versionNo }) => versionNo < seen.version.versionNo) ?? seen.versions.find(({ id }) => id !== seen.version.id);
  const [fromId, setFrom] = useState(older?.id);
  const [toId, setTo] = useState(seen.version.id);
  const options = seen.versions.map((one) => ({
    value: one.id,
    label: `V${one.versionNo} ${documentPhases.label(one.phase)} ${one.effectiveFrom}起`,
  }));
  return (
    <>
      <p>
        <Select aria-label="原版本" style={{ width: 240 }} value={fromId ?? null} options={options} onChange={setFrom} /> →{' '}
        <Select aria-label="新版本" style={{ width: 240 }} value={toId} options={options} onChange={setTo} />
      </p>
      {fromId && fromId !== toId ? <VersionDiff fromId={fromId} toId={toId} /> : <p className="kq-muted">请选择两个不同的版本</p>}
    </>
  );
}
