class @class@ < Formula
  desc "@summary@"
  homepage "@homepage@"
  url "@url@"
  sha256 "@sha256@"
  license "@license@"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    dist = libexec/"lib/node_modules/@name@/dist"
    man1.install_symlink dist/"@name@.1"
    bash_completion.install_symlink dist/"completions/bash/@name@"
    zsh_completion.install_symlink dist/"completions/zsh/_@name@"
    fish_completion.install_symlink dist/"completions/fish/@name@.fish"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/@name@ --version").strip
    assert_match "STAGE", shell_output("#{bin}/@name@ --demo")
  end
end
