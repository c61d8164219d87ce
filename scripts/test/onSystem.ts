/** Set to `apart` where the machine's own PostgreSQL takes the files below: then the embedded server does not run them too. */
export const ON_SYSTEM = 'TEST_ON_SYSTEM';

/** All calls, migrations and demonstrations: they show that every statement of the product is understood by an older PostgreSQL too. */
export const ON_SYSTEM_FILES = ['src/testing/calls/', 'src/testing/demo.test.ts', 'src/testing/pipeline.test.ts'];
