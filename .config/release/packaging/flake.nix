{
  description = "@summary@";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { nixpkgs, ... }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
    in
    {
      packages = nixpkgs.lib.genAttrs systems (system:
        let
          pkgs = nixpkgs.legacyPackages.${system};
        in
        {
          default = pkgs.stdenvNoCC.mkDerivation {
            pname = "@name@";
            version = "@version@";
            src = pkgs.fetchurl {
              url = "@url@";
              hash = "@integrity@";
            };
            sourceRoot = "package";
            nativeBuildInputs = [ pkgs.installShellFiles pkgs.makeWrapper ];
            dontBuild = true;
            installPhase = ''
              runHook preInstall
              mkdir -p $out/lib/@name@
              cp -r . $out/lib/@name@
              makeWrapper ${pkgs.nodejs_24}/bin/node $out/bin/@name@ --add-flags $out/lib/@name@/dist/cli.js
              installManPage dist/@name@.1
              installShellCompletion dist/completions/fish/@name@.fish \
                --bash --name @name@ dist/completions/bash/@name@ \
                --zsh --name _@name@ dist/completions/zsh/_@name@
              runHook postInstall
            '';
            meta = {
              description = "@summary@";
              homepage = "@homepage@";
              license = nixpkgs.lib.getLicenseFromSpdxId "@license@";
              mainProgram = "@name@";
            };
          };
        });
    };
}
