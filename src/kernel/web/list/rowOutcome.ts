export interface RowOutcome {
  name: string;
  ok: boolean;
  message: string;
}

export interface BatchResultProps {
  title: string;
  outcomes: readonly RowOutcome[];
  total: number;
  running: boolean;
  onClose(): void;
}
