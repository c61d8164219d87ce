import { Button, Space } from 'antd';
import type { ReactNode } from 'react';
import { Dict } from '#kernel/web/kit/values.tsx';
import { hospitalLevels } from '../../contract/dictionaries.ts';
import type { Candidate } from '../../contract/duplicateCalls.ts';
import './institution.css';

interface CandidatesProps {
  candidates: readonly Candidate[];
  empty: ReactNode;
  note?: ReactNode;
  /** Judged to be others. */
  judged?: readonly string[];
  onSame?(candidate: Candidate): void;
  onOther?(candidate: Candidate): void;
}

/** Hospitals that may be the same one, with score, reasons, and the two verdicts. */
export function Candidates({ candidates, empty, note, judged = [], onSame, onOther }: CandidatesProps) {
  if (candidates.length === 0) return <p className="kq-muted">{empty}</p>;
  return (
    <div>
      {note && <p className="kq-muted">{note}</p>}
      {candidates.map((candidate) => (
        <div key={candidate.hospitalId} className="in-candidate">
          <Space wrap>
            <b className={candidate.score >= 80 ? 'kq-danger kq-number' : 'kq-number'}>{candidate.score}分</b>
            <span>{candidate.name}</span>
            <Dict of={hospitalLevels} code={candidate.level} />
            {judged.includes(candidate.hospitalId) && <span className="kq-muted">已判定：非同一家</span>}
          </Space>
          <div className="kq-muted">
            {candidate.hospitalNo}　{candidate.address || '无地址'}
            {candidate.distanceM !== null && `　相距${candidate.distanceM}米`}
          </div>
          <div className="kq-muted">{candidate.why.join('；')}</div>
          {(onSame || onOther) && (
            <Space>
              {onSame && (
                <Button size="small" disabled={candidate.state !== 'ENABLED'} onClick={() => onSame(candidate)}>
                  判定为同一家
                </Button>
              )}
              {onOther && !judged.includes(candidate.hospitalId) && (
                <Button size="small" onClick={() => onOther(candidate)}>
                  非同一家
                </Button>
              )}
            </Space>
          )}
        </div>
      ))}
    </div>
  );
}
