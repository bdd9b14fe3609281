/** Loaded before the tests of a short run: properties without an explicit number of runs make a fifth of them. */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 20 });
