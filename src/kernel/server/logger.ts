import pino from 'pino';

export interface Logger {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** One JSON object a line on standard error, written before the call returns: the last line before an end is there. */
const lines = pino(
  {
    base: null,
    messageKey: 'message',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
    serializers: { error: pino.stdSerializers.err },
  },
  pino.destination({ dest: 2, sync: true }),
);

export const stderrLogger: Logger = {
  info: (facts, message) => lines.info(facts, message),
  warn: (facts, message) => lines.warn(facts, message),
  error: (facts, message) => lines.error(facts, message),
};

export const silentLogger: Logger = { info() {}, warn() {}, error() {} };
