import { create } from 'zustand';

/** The record that stays beside the pages while the operator moves between them; null = none. */
export const usePinned = create<{ patientId: string | null }>(() => ({ patientId: null }));
