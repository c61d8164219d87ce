import { useEffect, useRef } from 'react';
import { useDesk, useDeskState } from './desk/useDesk.ts';

/** Rings when a patient of one's own may be in danger, for supervisors any patient, and when somebody new waits in the queue. */
export function useEmergency(): void {
  const desk = useDesk();
  const groups = useDeskState((state) => state.groups);
  const queued = useDeskState((state) => state.counts.queued);
  const assistant = useDeskState((state) => state.runtime?.assistant);
  const known = useRef<Set<string> | null>(null);
  const before = useRef<number | null>(null);
  useEffect(() => {
    const urgent = [...groups.values()].filter(
      ({ crisis, ownerAssistantId, canTake }) =>
        crisis && (assistant?.supervisor || canTake || ownerAssistantId === assistant?.assistantId),
    );
    const first = known.current === null;
    known.current ??= new Set();
    for (const group of urgent) {
      if (known.current.has(group.groupId)) continue;
      known.current.add(group.groupId);
      if (!first)
        desk.ringFor({
          title: '患者可能存在急症，请立即引导线下就医',
          body: group.groupName,
          tag: `crisis:${group.groupId}`,
          urgent: true,
        });
    }
    for (const id of known.current) if (!urgent.some(({ groupId }) => groupId === id)) known.current.delete(id);
  }, [desk, groups, assistant]);
  useEffect(() => {
    if (before.current !== null && queued > before.current && assistant?.duty === 'ON')
      desk.ringFor({ title: '有新患者待接入', body: `待接入 ${queued} 位`, tag: 'queue' });
    before.current = queued;
  }, [desk, queued, assistant?.duty]);
}
