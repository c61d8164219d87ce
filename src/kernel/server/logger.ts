export interface Logger {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

const line = (level: string) => (facts: object, message: string) => {
  const text = JSON.stringify({ level, time: new Date().toISOString(), message, ...facts }, (_, value: unknown) =>
    value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value,
  );
  process.stderr.write(`${text}\n`);
};

/** One JSON object a line on standard error. */
export const stderrLogger: Logger = { info: line('info'), warn: line('warn'), error: line('error') };

export const silentLogger: Logger = { info() {}, warn() {}, error() {} };
