/** Loaded before the tests of a short run: properties that do not name their rounds make a fifth of them. */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 20 });
